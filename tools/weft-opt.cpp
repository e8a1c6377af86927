// weft-opt: mlir-opt for Weft's dialects and passes.
#include "ir/cpu/Cpu.h"
#include "ir/cuda/Cuda.h"
#include "ir/kernel/Kernel.h"
#include "ir/model/demands/Fusions.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

/// The table of stages for docs/generate.py, a line for each stage and for each of its promises:
/// `stage`, name, what it holds, passes; `promise`, name, what it says. Then what can be demanded:
/// `fusion`, name, pass, what becomes one, how it is written. Separated by tabs.
static int printStages() {
  for (const weft::Stage &stage : weft::stages()) {
    llvm::outs() << "stage\t" << stage.name << '\t' << stage.holds << '\t'
                 << llvm::join(stage.passes, ",") << '\n';
    for (const weft::Promise &promise : stage.promises)
      llvm::outs() << "promise\t" << promise.name << '\t' << promise.text << '\n';
  }
  for (const weft::model::Fusion &fusion : weft::model::fusions)
    llvm::outs() << "fusion\t" << fusion.name << '\t' << fusion.pass << '\t' << fusion.what << '\t'
                 << fusion.form << '\n';
  return 0;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, weft::model::ModelDialect, weft::kernel::KernelDialect,
                  weft::cpu::CpuDialect, weft::cuda::CudaDialect, weft::plan::PlanDialect>();
  weft::registerPipeline();
  if (argc == 2 && llvm::StringRef(argv[1]) == "--weft-stages")
    return printStages();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "weft-opt\n", registry));
}
