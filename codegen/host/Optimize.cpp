// The passes of LLVM that kernels go through, in programs and in tests alike.
#include "codegen/host/Optimize.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace llvm;

namespace weft {

/// A compiler that was itself built with a sanitizer instruments its kernels too: accesses out of
/// the bounds of a buffer and data races between tasks are reported when tests run them.
static void instrument(Module &module, ModulePassManager &passes) {
  auto mark = [&](Attribute::AttrKind kind) {
    for (Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr(kind);
  };
#if __has_feature(address_sanitizer)
  mark(Attribute::SanitizeAddress);
  passes.addPass(AddressSanitizerPass(AddressSanitizerOptions()));
#elif __has_feature(thread_sanitizer)
  mark(Attribute::SanitizeThread);
  passes.addPass(ModuleThreadSanitizerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
#else
  (void)mark;
  (void)passes;
#endif
}

void optimize(Module &module, TargetMachine &target) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation optNone(/*DebugLogging=*/false); // skips functions marked `optnone`
  optNone.registerCallbacks(callbacks);
  PassBuilder passes(&target, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  ModulePassManager all = passes.buildPerModuleDefaultPipeline(OptimizationLevel::O1);
  instrument(module, all);
  all.run(module, modules);
}

} // namespace weft
