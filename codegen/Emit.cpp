// LLVM IR  ==>  objects, through a short pipeline: kernels are built as they should be, not discovered by LLVM.
#include "codegen/Emit.h"

#include "codegen/Facts.h"
#include "codegen/LowerPlan.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft {

StringRef isaName(cpu::Isa isa) { return isa == cpu::Isa::avx512 ? "avx512" : "x86-64-v3"; }

namespace {
constexpr StringLiteral triple = "x86_64-unknown-linux-gnu";

std::unique_ptr<TargetMachine> machine() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(Triple(triple), problem);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // kernels say fma where they mean it
  options.FunctionSections = true;
  options.DataSections = true;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(Triple(triple), "x86-64-v3", "", options, Reloc::PIC_, std::nullopt,
                                  CodeGenOptLevel::Default));
}

void optimize(Module &module, TargetMachine &target) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  PassBuilder passes(&target, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O1).run(module, modules);
}

mlir::FailureOr<EmittedCode> finish(Module &module, StringRef name, CodeForm form, TargetMachine &target) {
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream)) {
    errs() << "weft: internal error: invalid LLVM IR for " << name << ": " << problem << '\n';
    return failure();
  }
  optimize(module, target);
  EmittedCode code{name.str(), {}};
  raw_svector_ostream out(code.bytes);
  if (form == CodeForm::ir) {
    module.print(out, nullptr);
    return code;
  }
  legacy::PassManager passes;
  auto kind = form == CodeForm::object ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
  if (target.addPassesToEmitFile(passes, out, nullptr, kind))
    return failure();
  passes.run(module);
  return code;
}
} // namespace

mlir::FailureOr<std::vector<EmittedCode>> emitCode(mlir::ModuleOp plan, ArrayRef<cpu::Isa> isas, CodeForm form) {
  std::unique_ptr<TargetMachine> target = machine();
  if (!target)
    return plan.emitError("this build of LLVM has no x86-64 target"), failure();
  cpu::DimTable dims = numberDims(plan);
  std::vector<EmittedCode> result;
  auto add = [&](StringRef name, cpu::Isa isa, function_ref<mlir::LogicalResult(cpu::Emission &)> fill) {
    LLVMContext context;
    Module module(name, context);
    module.setTargetTriple(Triple(triple));
    module.setDataLayout(target->createDataLayout());
    cpu::Emission emission{module, isa, dims};
    if (failed(fill(emission)))
      return mlir::failure();
    auto code = finish(module, name, form, *target);
    if (failed(code))
      return mlir::failure();
    result.push_back(std::move(*code));
    return mlir::success();
  };
  for (cpu::Isa isa : isas)
    if (failed(add(isaName(isa), isa, [&](cpu::Emission &emission) { return lowerPlan(plan, emission); })))
      return failure();
  std::string json = factsAsJson(plan);
  if (failed(add("program", cpu::Isa::x86_64_v3, [&](cpu::Emission &emission) {
        emitProgram(plan, json, isas, emission);
        return mlir::success();
      })))
    return failure();
  return result;
}

} // namespace weft
