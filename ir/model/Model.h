// The model dialect: C++ classes of its types, attributes and ops.
#ifndef WEFT_IR_MODEL_MODEL_H
#define WEFT_IR_MODEL_MODEL_H

#include "ir/model/FloatFunctions.h"
#include "ir/model/Size.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace weft {
/// Found by MLIR when it makes attributes unique.
llvm::hash_code hash_value(const Size &size);
} // namespace weft

namespace weft::model {
struct Obligation; // ir/model/Obligations.h
/// How two sizes must be to each other.
enum class Relation { at_most, equal, multiple };

/// What a function of one float gives, if `operand` is a constant.
mlir::OpFoldResult foldFloatFunction(mlir::Operation *op, mlir::Attribute operand);

/// Ops that take many times longer than an addition.
template <typename Op> class Heavy : public mlir::OpTrait::TraitBase<Op, Heavy> {};
} // namespace weft::model

#include "ir/model/Differentiable.h.inc"
#include "ir/model/Families.h.inc"
#include "ir/model/ModelDialect.h.inc"
#include "ir/model/ModelEnum.h.inc"
#include "ir/model/Obliged.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/model/ModelTypedef.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/model/ModelAttrdef.h.inc"
#define GET_OP_CLASSES
#include "ir/model/ModelOp.h.inc"

namespace weft::model {

/// The dimensions of `types`, each once: in the order of the first type that has all, else left to
/// right.
llvm::SmallVector<mlir::StringAttr> unionOfDims(llvm::ArrayRef<NamedTensorType> types);

/// Of a value that is known to be a tensor of this dialect.
inline NamedTensorType typeOf(mlir::Value value) {
  return llvm::cast<NamedTensorType>(value.getType());
}

/// The names in an attribute that lists dimensions.
llvm::SmallVector<mlir::StringAttr> namesIn(mlir::ArrayAttr dims);

} // namespace weft::model

#endif // WEFT_IR_MODEL_MODEL_H
