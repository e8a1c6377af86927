// weft-opt: mlir-opt for Weft's dialects and passes.
#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, weft::model::ModelDialect, weft::kernel::KernelDialect,
                  weft::plan::PlanDialect>();
  weft::registerPipeline();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "weft-opt\n", registry));
}
