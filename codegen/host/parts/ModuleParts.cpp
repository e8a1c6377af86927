// Which functions go together, what is shared by name, and a part read from the whole.
#include "codegen/host/parts/ModuleParts.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft {

// A part costs its share of reading the module: some milliseconds, where this many instructions
// take LLVM a quarter of a second.
static constexpr size_t instructionsOfPart = 5000;
static constexpr unsigned mostParts = 16;

static size_t sizeOf(const Module &module) {
  size_t size = 0;
  for (const Function &function : module)
    size += function.getInstructionCount();
  return size;
}

unsigned partsWorthwhile(const Module &module) {
  return std::clamp<size_t>(sizeOf(module) / instructionsOfPart, 1, mostParts);
}

namespace {

/// Functions that stay together, and how much there is of them.
struct Group {
  SmallVector<Function *> functions;
  size_t instructions = 0;
};

/// A function with what it calls and LLVM may inline, or take for its only caller's.
std::vector<Group> groupsOf(Module &module) {
  EquivalenceClasses<Function *> together;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    together.insert(&function);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *called = call->getCalledFunction();
            called && !called->isDeclaration() && !called->hasFnAttribute(Attribute::NoInline))
          together.unionSets(&function, called);
  }
  MapVector<Function *, Group> byLeader; // in the order of the module
  for (Function &function : module)
    if (!function.isDeclaration()) {
      Group &group = byLeader[together.getLeaderValue(&function)];
      group.functions.push_back(&function);
      group.instructions += function.getInstructionCount();
    }
  std::vector<Group> groups;
  for (auto &[leader, group] : byLeader)
    groups.push_back(std::move(group));
  return groups;
}

/// Whether a value of this module is used in another part than `own`. What constants use, every
/// part may: each has its own copy of them.
bool isUsedElsewhere(const Value &value, unsigned own, const StringMap<unsigned> &partOf) {
  for (const User *user : value.users()) {
    auto *instruction = dyn_cast<Instruction>(user);
    if (!instruction || partOf.lookup(instruction->getFunction()->getName()) != own)
      return true;
  }
  return false;
}

/// What each part that reads it has for itself.
bool isCopied(const GlobalVariable &variable) {
  return variable.isConstant() && variable.hasLocalLinkage();
}

} // namespace

ModuleParts::ModuleParts(Module &module, unsigned count) : name(module.getName()) {
  std::vector<Group> groups = groupsOf(module);
  // The largest first, each to the part that has least.
  stable_sort(groups,
              [](const Group &a, const Group &b) { return a.instructions > b.instructions; });
  std::vector<size_t> filled(count);
  for (const Group &group : groups) {
    auto least = min_element(filled);
    *least += group.instructions;
    for (Function *function : group.functions)
      partOf[function->getName()] = least - filled.begin();
  }
  SmallVector<GlobalValue *> shared;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() &&
        isUsedElsewhere(function, partOf.lookup(function.getName()), partOf))
      shared.push_back(&function);
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && !isCopied(variable))
      shared.push_back(&variable);
  // Sets have functions of the same names, and so have targets.
  MD5 hash;
  for (Function &function : module) {
    hash.update(function.getName());
    hash.update(std::to_string(function.getInstructionCount()));
  }
  for (GlobalVariable &variable : module.globals())
    hash.update(variable.getName()); // of the entries' tables, which the linker holds apart
  MD5::MD5Result made;
  hash.final(made);
  std::string suffix = "." + name + "." + toHex(ArrayRef<uint8_t>(made).take_front(4), true);
  for (GlobalValue *value : shared) {
    std::string before = value->getName().str();
    value->setName(before + suffix);
    value->setLinkage(GlobalValue::ExternalLinkage);
    value->setVisibility(GlobalValue::HiddenVisibility);
    if (isa<Function>(value)) {
      partOf[value->getName()] = partOf.lookup(before);
      partOf.erase(before);
    }
  }
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(module, out);
}

std::unique_ptr<Module> ModuleParts::part(unsigned number, LLVMContext &context) const {
  auto read = getLazyBitcodeModule({StringRef(bitcode.data(), bitcode.size()), name}, context);
  std::unique_ptr<Module> module = cantFail(std::move(read)); // it was written here
  SmallVector<GlobalValue *> unused; // what parts have for themselves, of other parts
  for (Function &function : *module) {
    auto found = partOf.find(function.getName());
    if (found == partOf.end() || found->second == number)
      continue;
    if (function.hasLocalLinkage())
      unused.push_back(&function);
    function.deleteBody(); // before it is read
  }
  for (GlobalVariable &variable : module->globals())
    if (number > 0 && !variable.isDeclaration() && !isCopied(variable)) {
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
    }
  cantFail(module->materializeAll());
  for (GlobalValue *value : unused) {
    assert(value->use_empty() && "used across parts, and not renamed");
    value->eraseFromParent();
  }
  return module;
}

} // namespace weft
