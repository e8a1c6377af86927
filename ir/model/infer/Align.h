// Values whose dimensions meet by name: sets of dimensions, broadcasts, and replacing one value by
// another with other dimensions.
#ifndef WEFT_IR_MODEL_INFER_ALIGN_H
#define WEFT_IR_MODEL_INFER_ALIGN_H

#include "ir/model/Model.h"
#include "ir/model/infer/Infer.h"

namespace weft::model {

inline llvm::ArrayRef<DimAttr> dimsOf(mlir::Value value) {
  return typeOf(value).getDims();
}
inline bool hasDim(mlir::Value value, DimAttr dim) {
  return typeOf(value).has(dim);
}

/// Every dimension of `part` is one of `whole`.
bool contains(llvm::ArrayRef<DimAttr> whole, llvm::ArrayRef<DimAttr> part);
/// Those of `dims` that are in `others` too, in order.
DimList both(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<DimAttr> others);

/// Whether sum[over](a * b) is a contraction: both sides have all of `over`, and each has a
/// dimension the other lacks.
bool isContraction(llvm::ArrayRef<DimAttr> over, llvm::ArrayRef<DimAttr> a,
                   llvm::ArrayRef<DimAttr> b);

/// sum[over](a * b): a contraction where it is one, else a sum of a product; each of `over` is in
/// `a` or in `b`.
mlir::Value sumOfProduct(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<DimAttr> over,
                         mlir::Value a, mlir::Value b);

/// `value` without the `arrange` and `broadcast` ops on top of it.
mlir::Value bare(mlir::Value value);

/// `value`, constant along those dimensions of `dims` that it lacks.
mlir::Value along(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                  llvm::ArrayRef<DimAttr> dims);

/// `value` as exactly `type`, which lacks none of its dimensions and has elements of its kind.
mlir::Value shaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   NamedTensorType type);

/// `value`, of whose whole numbers something else is said: that they are `element`. Where it is a
/// view, that is said of what it is a view of, so that a kernel which computes that can say it.
mlir::Value restated(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                     mlir::Type element);

/// Gives `op` the result types that are inferred from its operands; false if its types are not
/// inferred.
bool reinfer(mlir::Operation *op);

/// The operands of an op, as they stand and swapped: for matching ops that commute.
std::array<std::pair<mlir::Value, mlir::Value>, 2> bothWays(mlir::Operation *op);

/// Replaces the result of `op` by `value`, which may lack dimensions along which it is constant,
/// and erases `op`.
void replaceOp(mlir::Operation *op, mlir::Value value);

/// Replaces `old` by `value`. If that lists the same dimensions in another order, so do the values
/// computed from it, and what is said of its whole numbers follows, up to the ops whose types are
/// fixed (loops, results, assignments): there an `arrange` restores the type.
void replaceByName(mlir::Value old, mlir::Value value);

/// Gives `value` another type; what is computed from it follows in the same way.
void changeType(mlir::Value value, NamedTensorType type);

/// A float constant.
mlir::Value number(mlir::OpBuilder &builder, mlir::Location loc, double value);

/// A function of one float (ir/model/FloatFunctions.h) of each element of `input`, which are
/// floats.
mlir::Value floatFunction(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                          mlir::Value input);

/// How many positions `dims` have together, as a float: their product as a whole number could wrap.
mlir::Value countOf(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<DimAttr> dims);

} // namespace weft::model

#endif // WEFT_IR_MODEL_INFER_ALIGN_H
