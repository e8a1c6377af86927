// LLVM IR for x86-64  ==>  an object file, or a text.
#include "codegen/host/NativeCode.h"

#include "codegen/host/Optimize.h"
#include "codegen/host/parts/ModuleParts.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace weft {

std::unique_ptr<TargetMachine> nativeMachine() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  const Triple triple("x86_64-unknown-linux-gnu");
  std::string problem;
  const llvm::Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // kernels say fma where they mean it
  options.FunctionSections = true;
  options.DataSections = true;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, "x86-64-v3", "", options, Reloc::PIC_, std::nullopt, CodeGenOptLevel::Default));
}

NativeModule::NativeModule(StringRef name)
    : machine(nativeMachine()), module(std::make_unique<Module>(name, context)) {
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
}

void NativeModule::compile(StringRef form, CodeEffort effort) {
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(*module, &stream)) {
    errs() << "weft: internal error: invalid LLVM IR for " << module->getName() << ": " << problem
           << '\n';
    return;
  }
  if (effort == CodeEffort::full)
    optimize(*module, *machine);
  else // not None: FastISel of LLVM 22 reads 16 bytes where a select takes a float from memory
    machine->setOptLevel(CodeGenOptLevel::Less);
  EmittedCode made{module->getName().str(), {}};
  raw_svector_ostream out(made.bytes);
  if (form == "llvm") {
    module->print(out, nullptr);
  } else {
    legacy::PassManager passes;
    auto kind = form == objectForm ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
    if (machine->addPassesToEmitFile(passes, out, nullptr, kind))
      return;
    passes.run(*module);
  }
  code = std::move(made);
}

LoweredCode NativeModules::lowered(StringRef form, CodeEffort effort) {
  LoweredCode lowered;
  std::vector<std::shared_ptr<NativeModule>> compiled;
  for (const std::shared_ptr<NativeModule> &module : all) {
    unsigned count = form == objectForm && effort == CodeEffort::full
                         ? partsWorthwhile(*module->module)
                         : 1; // a text is read as a whole
    if (count == 1) {
      compiled.push_back(module);
      lowered.jobs.push_back(
          [module, form = form.str(), effort] { module->compile(form, effort); });
      continue;
    }
    auto parts = std::make_shared<ModuleParts>(*module->module, count);
    module->module.reset();
    for (unsigned number = 0; number < count; ++number) {
      auto part = std::make_shared<NativeModule>("part");
      compiled.push_back(part);
      lowered.jobs.push_back([parts, part, number, form = form.str(), effort] {
        part->module = parts->part(number, part->context);
        part->compile(form, effort);
      });
    }
  }
  lowered.finish = [all = std::move(compiled)]() -> mlir::FailureOr<std::vector<EmittedCode>> {
    std::vector<EmittedCode> result;
    for (const std::shared_ptr<NativeModule> &module : all) {
      if (failed(module->code))
        return mlir::failure();
      result.push_back(std::move(*module->code));
    }
    return result;
  };
  return lowered;
}

} // namespace weft
