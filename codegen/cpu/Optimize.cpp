// The passes of LLVM that kernels go through, in programs and in tests alike.
#include "codegen/cpu/Optimize.h"

#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace weft::cpu {

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

} // namespace weft::cpu
