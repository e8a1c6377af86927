// Registers the model dialect and holds what tablegen generates for its ops.
#include "ir/model/Model.h"

#include "ir/model/infer/Infer.h"
#include "ir/model/obligations/Obligations.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

#include "ir/model/Differentiable.cpp.inc"
#include "ir/model/Families.cpp.inc"
#include "ir/model/ModelDialect.cpp.inc"
#include "ir/model/ModelEnum.cpp.inc"
#include "ir/model/Obliged.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/model/ModelTypedef.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/model/ModelAttrdef.cpp.inc"
#define GET_OP_CLASSES
#include "ir/model/ModelOp.cpp.inc"

void ModelDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/model/ModelTypedef.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/model/ModelAttrdef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/model/ModelOp.cpp.inc"
      >();
}

Operation *ModelDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location loc) {
  auto tensor = dyn_cast<NamedTensorType>(type);
  if (!tensor || !tensor.getDims().empty())
    return nullptr;
  return ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}
