// What the gradient rules of the ops have in common.
#ifndef WEFT_IR_MODEL_GRADIENTS_GRADIENTS_H
#define WEFT_IR_MODEL_GRADIENTS_GRADIENTS_H

#include "ir/model/demands/Demands.h"
#include "ir/model/infer/Align.h"

namespace weft::model {

using Gradients = llvm::SmallVector<mlir::Value>;

/// Builds the gradients of one op, at its location.
class GradientBuilder {
public:
  GradientBuilder(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), loc(withoutDemands(op->getLoc())) {}

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }
  mlir::Value number(double value) { return model::number(builder, loc, value); }
  mlir::Value add(mlir::Value a, mlir::Value b) { return make<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return make<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return make<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return make<DivOp>(a, b); }
  mlir::Value neg(mlir::Value a) { return make<NegOp>(a); }
  mlir::Value scale(double factor, mlir::Value a) { return make<MulOp>(a, number(factor)); }
  mlir::Value where(mlir::Value condition, mlir::Value then, mlir::Value otherwise) {
    return make<WhereOp>(condition, then, otherwise);
  }
  mlir::Value compare(Comparison predicate, mlir::Value a, mlir::Value b) {
    return make<CompareOp>(predicate, a, b);
  }
  mlir::Value along(mlir::Value value, llvm::ArrayRef<DimAttr> dims) {
    return model::along(builder, loc, value, dims);
  }
  mlir::Value shaped(mlir::Value value, NamedTensorType type) {
    return model::shaped(builder, loc, value, type);
  }
  /// Zeros of a type.
  mlir::Value zeros(NamedTensorType type) { return shaped(number(0), type); }
  /// Whether the position along `dim` is `position` (whole numbers).
  mlir::Value isAt(DimAttr dim, mlir::Value position);

  /// Sums a gradient over the dimensions of `result` that `operand` lacks; along those that the
  /// gradient lacks itself it is constant, which multiplies it by their sizes.
  mlir::Value sumTo(mlir::Value gradient, llvm::ArrayRef<DimAttr> result, mlir::Value operand);
  /// Sums gradient * factor over the dimensions that `operand` lacks.
  mlir::Value sumTo(mlir::Value gradient, mlir::Value factor, mlir::Value operand);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace weft::model

#endif // WEFT_IR_MODEL_GRADIENTS_GRADIENTS_H
