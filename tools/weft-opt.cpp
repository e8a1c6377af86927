// weft-opt: mlir-opt for Weft's dialects and passes.
#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

/// The table of stages for docs/generate.py: name, promise and passes, separated by tabs.
static int printStages() {
  for (const weft::Stage &stage : weft::stages())
    llvm::outs() << stage.name << '\t' << stage.promise << '\t' << llvm::join(stage.passes, ",")
                 << '\n';
  return 0;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, weft::model::ModelDialect, weft::kernel::KernelDialect,
                  weft::plan::PlanDialect>();
  weft::registerPipeline();
  if (argc == 2 && llvm::StringRef(argv[1]) == "--weft-stages")
    return printStages();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "weft-opt\n", registry));
}
