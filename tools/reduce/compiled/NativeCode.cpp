// Emitted code, linked by LLVM's JIT: no file, no linker.
#include "tools/reduce/compiled/NativeCode.h"

#include "ir/cpu/Machine.h"
#include "runtime/emulator/Symbols.h"
#include "runtime/machine/Isa.h"
#include "tools/kernel/StandIn.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace weft::reduce {

NativeCode::NativeCode() = default;
NativeCode::~NativeCode() = default;

std::optional<std::string> NativeCode::load(mlir::ModuleOp plan, const Target &target,
                                            ArrayRef<std::string> sets, CodeEffort effort) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto objects = target.emit(plan, objectForm, sets, effort);
  if (failed(objects))
    return "no code";
  auto made = orc::LLJITBuilder().create();
  if (!made)
    return "no JIT: " + toString(made.takeError());
  jit = std::move(*made);
  for (const EmittedCode &object : *objects)
    if (Error problem = jit->addObjectFile(MemoryBuffer::getMemBufferCopy(
            StringRef(object.bytes.data(), object.bytes.size()), object.name)))
      return "object " + object.name + ": " + toString(std::move(problem));
  return link();
}

std::optional<std::string> NativeCode::loadStandIn(mlir::ModuleOp plan, StringRef set,
                                                   CodeEffort effort) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto modules = cpuTarget().emit(plan, "llvm", {set.str()}, effort);
  if (failed(modules))
    return "no code";
  const cpu::Isa isa = *cpu::isaNamed(set);
  jit = trial::jitFor(trial::machineFor(isa));
  for (const EmittedCode &text : *modules) {
    auto context = std::make_unique<LLVMContext>();
    SMDiagnostic problem;
    const std::string ended(text.bytes.data(), text.bytes.size()); // by a zero byte
    std::unique_ptr<Module> module = parseAssemblyString(ended, problem, *context);
    if (!module)
      return "text of " + text.name + ": " + problem.getMessage().str();
    if (text.name == set)
      trial::standIn(*module, isa);
    if (Error refused =
            jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
      return "text of " + text.name + ": " + toString(std::move(refused));
  }
  if (auto problem = link())
    return problem;
  standing = *found;
  standing->code[WEFT_ISA_X86_64_V3] = found->code[unsigned(isa)];
  standing->kernels[WEFT_ISA_X86_64_V3] = found->kernels[unsigned(isa)];
  found = &*standing;
  return std::nullopt;
}

std::optional<std::string> NativeCode::link() {
  orc::SymbolMap runtime;
  auto give = [&](StringRef name, auto *function) {
    runtime[jit->mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                           JITSymbolFlags::Exported};
  };
  give("weft_launch", &weft_launch);
  give("weft_launch_grid", &weft_launch_grid);
  give("weft_copy", &weft_copy);
  give("weft_random_key", &weft_random_key);
  for (const emulator::Symbol &each : emulator::symbols())
    runtime[jit->mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.address),
                                                JITSymbolFlags::Exported};
  cantFail(jit->getMainJITDylib().define(orc::absoluteSymbols(std::move(runtime))));
  auto symbol = jit->lookup("weft_program");
  if (!symbol)
    return "linking: " + toString(symbol.takeError());
  found = symbol->toPtr<const WeftProgram *>();
  return std::nullopt;
}

std::string NativeCode::nameOf(const std::string &set) const {
  return standing ? runtime::isaName(WEFT_ISA_X86_64_V3) : set;
}

std::vector<std::string> setsOfMachine(const Target &target) {
  std::vector<std::string> all;
  for (bool gains : {false, true})
    for (StringRef set : target.instructionSets())
      for (int isa = 0; isa < WEFT_ISA_COUNT; ++isa)
        if (set == runtime::isaName(isa) && runtime::machineGainsBy(isa) == gains &&
            runtime::machineRuns(isa))
          all.push_back(set.str());
  return all;
}

std::vector<std::string> setsToTry(const Target &target, const std::vector<std::string> &names) {
  std::vector<std::string> named;
  for (StringRef set : target.instructionSets())
    if (is_contained(names, set) && (&target == &cpuTarget() || whyNotThose({set.str()}).empty()))
      named.push_back(set.str());
  return named.empty() ? setsOfMachine(target) : named;
}

std::string whyNotThose(const std::vector<std::string> &names) {
  std::string all;
  for (const std::string &name : names) {
    std::string why = "it is for devices";
    for (int isa = 0; isa < WEFT_ISA_COUNT; ++isa)
      if (name == runtime::isaName(isa))
        why = runtime::whyNot(isa);
    if (!why.empty())
      all += (all.empty() ? "this machine does not run " : "; nor ") + name + ": " + why;
  }
  return all;
}

std::string aboutLacking(const Target &target, const std::vector<std::string> &names) {
  std::string why = whyNotThose(names);
  if (why.empty())
    return why;
  return why + (&target == &cpuTarget() ? "; what it lacks is stood in for"
                                        : "; it is tried on what this machine runs");
}

} // namespace weft::reduce
