// LLVM's NVPTX, in this process: no toolkit is needed.
#include "codegen/gpu/Ptx.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace weft::gpu {

Expected<std::unique_ptr<TargetMachine>> machineOf(StringRef architecture) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Triple triple("nvptx64-nvidia-cuda");
  // Later ones want a later PTX, and run what is made for these; LLVM ends the process.
  if (!is_contained({"sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"}, architecture))
    return createStringError(
        "PTX is made for sm_80, sm_86, sm_87, sm_89, sm_90 and sm_90a, not for " + architecture);
  std::string problem;
  const Target *target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return createStringError("this build of LLVM has no NVPTX: " + problem);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // a product and a sum round as the IR says
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, architecture, "+ptx80", options, std::nullopt,
                                  std::nullopt, CodeGenOptLevel::Aggressive));
}

void optimize(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graph;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  ModulePassManager all = passes.buildPerModuleDefaultPipeline(OptimizationLevel::O3);
  // O3 takes loads of several elements apart where each is used by itself. The PTX printer puts
  // them together again by this pass; the emulator is to run and to count what becomes PTX.
  all.addPass(createModuleToFunctionPassAdaptor(LoadStoreVectorizerPass()));
  all.run(module, modules);
}

std::string ptxOf(Module &module, TargetMachine &machine) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    report_fatal_error("NVPTX prints no text");
  passes.run(module);
  return std::string(text);
}

} // namespace weft::gpu
