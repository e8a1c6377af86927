// The model dialect: C++ classes of its types, attributes and ops.
#ifndef WEFT_IR_MODEL_MODEL_H
#define WEFT_IR_MODEL_MODEL_H

#include "ir/model/Arithmetic.h"
#include "ir/model/FloatFunctions.h"
#include "ir/model/Traits.h"
#include "ir/size/Size.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace weft {
/// Found by MLIR when it makes attributes unique.
llvm::hash_code hash_value(const Size &size);
} // namespace weft

namespace weft::model {
class Dims;        // ir/model/Dims.h
struct Obligation; // ir/model/obligations/Obligations.h
/// How two sizes must be to each other.
enum class Relation { at_most, equal, multiple };
/// "at_most", "equal", "multiple"
llvm::StringRef relationName(Relation relation);

/// What a function of one float gives, if `operand` is a constant.
mlir::OpFoldResult foldFloatFunction(mlir::Operation *op, mlir::Attribute operand);
/// What a function of two numbers or switches gives, if both are constants.
mlir::OpFoldResult foldBinaryFunction(mlir::Operation *op, mlir::Attribute lhs,
                                      mlir::Attribute rhs);

} // namespace weft::model

#define GET_ATTRDEF_CLASSES
#include "ir/model/ModelAttrdef.h.inc"

namespace weft::model {
using DimList = llvm::SmallVector<DimAttr>;

/// The dimensions that the attributes of an op of this dialect name, in the order of the
/// attributes' names; with `inSizes` those in formulas of sizes too.
DimList dimsNamedBy(mlir::Operation *op, bool inSizes = false);

/// A message shows a dimension by its name.
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &out, DimAttr dim) {
  return out << dim.getValue();
}
inline mlir::Diagnostic &operator<<(mlir::Diagnostic &out, DimAttr dim) {
  return out << dim.getValue();
}

/// How types and layouts write a dimension: as a word, where it is one.
mlir::ParseResult parseDimWord(mlir::AsmParser &parser, DimAttr &dim);
/// How ops write dimensions, in this dialect and those above it.
mlir::ParseResult parseDim(mlir::AsmParser &parser, DimAttr &dim);
void printDim(mlir::AsmPrinter &printer, mlir::Operation *op, DimAttr dim);
mlir::ParseResult parseDims(mlir::AsmParser &parser, DimsAttr &dims);
void printDims(mlir::AsmPrinter &printer, mlir::Operation *op, DimsAttr dims);
} // namespace weft::model

#include "ir/model/Differentiable.h.inc"
#include "ir/model/Families.h.inc"
#include "ir/model/ModelDialect.h.inc"
#include "ir/model/ModelEnum.h.inc"
#include "ir/model/Obliged.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/model/ModelTypedef.h.inc"
#define GET_OP_CLASSES
#include "ir/model/ModelOp.h.inc"

namespace weft::model {

/// The dimensions of `types`, each once: in the order of the first type that has all, else left to
/// right.
DimList unionOfDims(llvm::ArrayRef<NamedTensorType> types);

/// Of a value that is known to be a tensor of this dialect.
inline NamedTensorType typeOf(mlir::Value value) {
  return llvm::cast<NamedTensorType>(value.getType());
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_MODEL_H
