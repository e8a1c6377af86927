// The plan dialect; its printed forms are all declarative.
#include "ir/plan/Plan.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace weft::plan;

#include "ir/plan/PlanDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/plan/PlanTypedef.cpp.inc"
#define GET_OP_CLASSES
#include "ir/plan/PlanOp.cpp.inc"

void PlanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/plan/PlanTypedef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/plan/PlanOp.cpp.inc"
      >();
}
