// weft-opt: mlir-opt for Weft's dialects and passes.
#include "ir/model/Model.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, weft::model::ModelDialect>();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "weft-opt\n", registry));
}
