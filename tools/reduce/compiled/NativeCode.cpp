// Emitted objects, linked by LLVM's JIT: no file, no linker.
#include "tools/reduce/compiled/NativeCode.h"

#include "runtime/emulator/Symbols.h"
#include "runtime/machine/Isa.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
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
  for (const EmittedCode &object : *objects)
    if (Error problem = jit->addObjectFile(MemoryBuffer::getMemBufferCopy(
            StringRef(object.bytes.data(), object.bytes.size()), object.name)))
      return "object " + object.name + ": " + toString(std::move(problem));
  auto symbol = jit->lookup("weft_program");
  if (!symbol)
    return "linking: " + toString(symbol.takeError());
  found = symbol->toPtr<const WeftProgram *>();
  return std::nullopt;
}

std::vector<std::string> setsOfMachine(const Target &target,
                                       const std::vector<std::string> &names) {
  std::vector<std::string> all, named;
  for (bool gains : {false, true})
    for (StringRef set : target.instructionSets())
      for (int isa = 0; isa < WEFT_ISA_COUNT; ++isa)
        if (set == runtime::isaName(isa) && runtime::machineGainsBy(isa) == gains &&
            runtime::machineRuns(isa)) {
          all.push_back(set.str());
          if (is_contained(names, set))
            named.push_back(set.str());
        }
  return named.empty() ? all : named;
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

} // namespace weft::reduce
