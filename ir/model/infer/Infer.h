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
  DimAttr key;
  llvm::ArrayRef<DimAttr> depth;
  mlir::Value q, k, v, mask, bias, keep;
};

template <typename Adaptor> AttentionOperands attentionOf(Adaptor op) {
  return {op.getKeyAttr(), op.getDepth(), op.getQ(),    op.getK(),
          op.getV(),       op.getMask(),  op.getBias(), op.getKeep()};
}

/// Type inference of one op: a rule appends the result types, or fails and reports at the location,
/// if there is one, what does not fit.
class Inference {
public:
  using Result = llvm::LogicalResult;

  Inference(mlir::MLIRContext *context, std::optional<mlir::Location> location,
            llvm::SmallVectorImpl<mlir::Type> &types)
      : context(context), location(location), types(types) {}

  Result constant(mlir::Attribute value);
  Result index(DimAttr dim);
  Result extent();
  Result clamp(DimAttr dim, mlir::Value input);
  Result unary(mlir::Value input, Elements takes, Elements gives);
  Result binary(mlir::Value lhs, mlir::Value rhs, Elements takes);
  /// One of the two, element by element.
  Result either(mlir::Value lhs, mlir::Value rhs);
  Result compare(mlir::Value lhs, mlir::Value rhs);
  Result where(mlir::Value condition, mlir::Value then, mlir::Value otherwise);

  Result reduction(llvm::ArrayRef<DimAttr> over, mlir::Value input);
  Result argmax(llvm::ArrayRef<DimAttr> over, mlir::Value input);
  Result top(DimAttr k, DimAttr dim, mlir::Value input);
  Result cumsum(DimAttr dim, mlir::Value input);
  Result broadcast(mlir::Value input, llvm::ArrayRef<DimAttr> along);
  Result regroup(mlir::Value input, llvm::ArrayRef<DimAttr> from, llvm::ArrayRef<DimAttr> to);
  Result part(mlir::Value input, DimAttr dim, DimAttr part);
  Result pick(mlir::Value input, DimAttr dim);
  Result gather(mlir::Value input, DimAttr dim, mlir::Value index);
  Result stack(DimAttr dim, mlir::ValueRange inputs);
  Result concat(DimAttr dim, llvm::ArrayRef<DimAttr> parts, mlir::ValueRange inputs);

  Result contract(llvm::ArrayRef<DimAttr> over, mlir::Value lhs, mlir::Value rhs);
  Result softmax(DimAttr over, mlir::Value input, mlir::Value mask);
  Result softmaxGrad(DimAttr over, mlir::Value weights, mlir::Value gradient);
  Result logSumExp(DimAttr over, mlir::Value input);
  Result normalize(llvm::ArrayRef<DimAttr> over, mlir::Value input);
  Result normalizeGrad(llvm::ArrayRef<DimAttr> over, mlir::Value input, mlir::Value gradient);
  Result attention(AttentionOperands operands);
  Result attentionGrad(AttentionOperands operands, mlir::Value output, mlir::Value lse,
                       mlir::Value gradient);

private:
  Result fail(const llvm::Twine &what) { return mlir::emitOptionalError(location, what); }
  /// Appends the tensor of `element` over `dims`; fails if a dimension is there twice.
  Result give(mlir::Type element, llvm::ArrayRef<DimAttr> dims);
  Result giveElement(Elements element, llvm::ArrayRef<DimAttr> dims);
  Result giveIndex(DimAttr dim, llvm::ArrayRef<DimAttr> dims);
  Result takes(NamedTensorType type, Elements elements);
  Result needs(NamedTensorType type, llvm::ArrayRef<DimAttr> dims, llvm::StringRef what);
  Result sameDims(NamedTensorType type, llvm::ArrayRef<DimAttr> dims, llvm::StringRef what);
  Result sameKind(llvm::ArrayRef<NamedTensorType> operands);
  /// The dimensions of the scores of attention, after checking the operands.
  llvm::FailureOr<DimList> scores(AttentionOperands operands);

  mlir::MLIRContext *context;
  std::optional<mlir::Location> location;
  llvm::SmallVectorImpl<mlir::Type> &types;
};

/// Whether both have floats, both whole numbers (positions among them), or both switches.
bool isSameKind(NamedTensorType a, NamedTensorType b);
/// The element of what is chosen among tensors of one kind: positions of one dimension stay that.
mlir::Type commonElement(llvm::ArrayRef<NamedTensorType> types);

/// `dims` without those in `dropped`, in order.
DimList without(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<DimAttr> dropped);
/// `dims`, then those of `more` that are not there yet.
DimList with(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<DimAttr> more);

/// Checks that the module declares every dimension that `op` names, if it declares any.
llvm::LogicalResult verifyDims(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

} // namespace weft::model

#endif // WEFT_IR_MODEL_INFER_INFER_H
