// LLVM IR for NVPTX: optimized, and as PTX.
#include "codegen/gpu/DeviceCode.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace weft::gpu {

std::unique_ptr<TargetMachine> machineOf(const cuda::Device &device) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  const Triple triple("nvptx64-nvidia-cuda");
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // kernels say fma where they mean it
  // PTX 8.0 is what drivers of CUDA 12.0 and later read.
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, device.name, "+ptx80", options, std::nullopt,
                                  std::nullopt, CodeGenOptLevel::Aggressive));
}

void setMachine(Module &module, const TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
}

std::optional<std::string> optimize(Module &module, TargetMachine &machine) {
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    return problem;
  PassBuilder passes(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
  return std::nullopt;
}

std::string ptxOf(Module &module, TargetMachine &machine) {
  SmallVector<char, 0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile))
    return "";
  passes.run(module);
  return std::string(text.begin(), text.end());
}

} // namespace weft::gpu
