// The rules that give ops their result types; Model.td names one rule per op.
#ifndef WEFT_IR_MODEL_INFER_INFER_H
#define WEFT_IR_MODEL_INFER_INFER_H

#include "ir/model/Model.h"

namespace weft::model {

/// Sets of element types, joined by `|`.
enum Elements : unsigned { Float = 1, Whole = 2, Switch = 4 };
constexpr Elements operator|(Elements a, Elements b) {
  return Elements(unsigned(a) | unsigned(b));
}

/// What attention and its gradient have in common.
struct AttentionOperands {
  mlir::StringAttr key;
  mlir::ArrayAttr depth;
  mlir::Value q, k, v, mask;
};

template <typename Adaptor> AttentionOperands attentionOf(Adaptor op) {
  return {op.getKeyAttr(), op.getDepth(), op.getQ(), op.getK(), op.getV(), op.getMask()};
}

/// One inference: each rule appends the result types, or reports at the location, if there is one,
/// what does not fit.
class Inference {
public:
  using Dim = mlir::StringAttr;
  using Result = llvm::LogicalResult;

  Inference(mlir::MLIRContext *context, std::optional<mlir::Location> location,
            llvm::SmallVectorImpl<mlir::Type> &types)
      : context(context), location(location), types(types) {}

  Result constant(mlir::Attribute value);
  Result index(Dim dim);
  Result extent();
  Result unary(mlir::Value input, Elements takes, Elements gives);
  Result binary(mlir::Value lhs, mlir::Value rhs, Elements takes);
  Result compare(mlir::Value lhs, mlir::Value rhs);
  Result where(mlir::Value condition, mlir::Value then, mlir::Value otherwise);

  Result reduction(mlir::ArrayAttr over, mlir::Value input);
  Result argmax(mlir::ArrayAttr over, mlir::Value input);
  Result top(Dim k, Dim dim, mlir::Value input);
  Result along(Dim dim, mlir::Value input, Elements takes);
  Result broadcast(mlir::Value input, mlir::ArrayAttr along);
  Result regroup(mlir::Value input, mlir::ArrayAttr from, mlir::ArrayAttr to);
  Result part(mlir::Value input, Dim dim, Dim part);
  Result pick(mlir::Value input, Dim dim);
  Result gather(mlir::Value input, Dim dim, mlir::Value index);
  Result stack(Dim dim, mlir::ValueRange inputs);
  Result concat(Dim dim, mlir::ArrayAttr parts, mlir::ValueRange inputs);

  Result contract(mlir::ArrayAttr over, mlir::Value lhs, mlir::Value rhs);
  Result softmax(Dim over, mlir::Value input, mlir::Value mask);
  Result softmaxGrad(Dim over, mlir::Value weights, mlir::Value gradient);
  Result logSumExp(Dim over, mlir::Value input);
  Result normalize(mlir::ArrayAttr over, mlir::Value input);
  Result normalizeGrad(mlir::ArrayAttr over, mlir::Value input, mlir::Value gradient);
  Result attention(AttentionOperands operands);
  Result attentionGrad(AttentionOperands operands, mlir::Value output, mlir::Value lse,
                       mlir::Value gradient);

private:
  Result fail(const llvm::Twine &what) { return mlir::emitOptionalError(location, what); }
  /// Appends the tensor of `element` over `dims`, unless a dimension would stand there twice.
  Result give(mlir::Type element, llvm::ArrayRef<Dim> dims);
  Result giveElement(Elements element, llvm::ArrayRef<Dim> dims);
  Result takes(NamedTensorType type, Elements elements);
  Result needs(NamedTensorType type, llvm::ArrayRef<Dim> dims, llvm::StringRef what);
  Result sameDims(NamedTensorType type, llvm::ArrayRef<Dim> dims, llvm::StringRef what);
  Result sameElement(llvm::ArrayRef<NamedTensorType> operands);
  /// Scores of attention, after checking everything about the operands.
  llvm::FailureOr<llvm::SmallVector<Dim>> scores(AttentionOperands operands);

  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  llvm::SmallVectorImpl<mlir::Type> &types;
};

/// `dims` without those in `gone`, in order.
llvm::SmallVector<mlir::StringAttr> without(llvm::ArrayRef<mlir::StringAttr> dims,
                                            llvm::ArrayRef<mlir::StringAttr> gone);
/// `dims`, then those of `more` that are not there yet.
llvm::SmallVector<mlir::StringAttr> with(llvm::ArrayRef<mlir::StringAttr> dims,
                                         llvm::ArrayRef<mlir::StringAttr> more);

/// Checks that the module declares every dimension that `op` speaks of, if it declares any.
llvm::LogicalResult verifyDims(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

} // namespace weft::model

#endif // WEFT_IR_MODEL_INFER_INFER_H
