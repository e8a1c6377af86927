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

#include <map>

using namespace llvm;

namespace weft {

// A part costs its share of reading the module: some milliseconds, where this many instructions
// take LLVM a quarter of a second.
static constexpr unsigned instructionsOfPart = 5000, mostParts = 16;

unsigned partsWorthwhile(const Module &module) {
  return std::clamp(module.getInstructionCount() / instructionsOfPart, 1u, mostParts);
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

using PartOf = DenseMap<const Function *, unsigned>;

/// Whether a function is used in another part than its own. What constants use, every part may:
/// each has its own copy of them.
bool isUsedElsewhere(const Function &function, const PartOf &parts) {
  return any_of(function.users(), [&](const User *user) {
    auto *instruction = dyn_cast<Instruction>(user);
    return !instruction || parts.lookup(instruction->getFunction()) != parts.lookup(&function);
  });
}

/// What each part that reads it has for itself.
bool isCopied(const GlobalVariable &variable) {
  return variable.isConstant() && variable.hasLocalLinkage();
}

} // namespace

ModuleParts::ModuleParts(Module &module, unsigned count) : name(module.getName()) {
  std::vector<Group> groups = groupsOf(module);
  // The largest first, each to the part that has least.
  std::multimap<size_t, const Group *, std::greater<>> largestFirst; // equals as they came
  for (const Group &group : groups)
    largestFirst.emplace(group.instructions, &group);
  std::vector<size_t> filled(count);
  PartOf parts;
  for (auto &[instructions, group] : largestFirst) {
    auto least = min_element(filled);
    *least += instructions;
    for (Function *function : group->functions)
      parts[function] = least - filled.begin();
  }
  SmallVector<GlobalValue *> shared;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && isUsedElsewhere(function, parts))
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
    value->setName(value->getName() + suffix);
    value->setLinkage(GlobalValue::ExternalLinkage);
    value->setVisibility(GlobalValue::HiddenVisibility);
  }
  for (auto &[function, part] : parts)
    partOf[function->getName()] = part;
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(module, out);
}

std::unique_ptr<Module> ModuleParts::part(unsigned number, LLVMContext &context) const {
  auto read = getLazyBitcodeModule({StringRef(bitcode.data(), bitcode.size()), name}, context);
  std::unique_ptr<Module> module = cantFail(std::move(read)); // it was written here
  module->setModuleIdentifier(name + "." + std::to_string(number));
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
