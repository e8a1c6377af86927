// Where the whole numbers of a function lie, as programs compute them: in 32 bits, which wrap, and
// in floats, which round. It shows of every position that is looked up that it is one.
#ifndef WEFT_IR_MODEL_POSITIONS_H
#define WEFT_IR_MODEL_POSITIONS_H

#include "ir/model/Limits.h"
#include "ir/model/Obligations.h"

namespace weft::model {

class Positions {
public:
  Positions(mlir::func::FuncOp function, const Dims &dims);

  /// What must hold of the sizes so that every look-up is inside.
  const std::vector<Obligation> &obligations() const { return asked; }
  /// Look-ups that nothing of this kind makes safe.
  const llvm::SmallVector<mlir::Operation *> &unproved() const { return open; }

private:
  using Spans = std::vector<Span>;

  Spans of(mlir::Value value);
  Spans compute(mlir::Value value);
  Spans computeFloat(mlir::Operation *op);
  Spans carried(mlir::BlockArgument argument);
  Spans arithmetic(mlir::Operation *op);
  Spans quotient(const Spans &a, const Spans &b);
  Spans rest(const Spans &b);
  Spans extreme(const Spans &a, const Spans &b, bool largest);
  Spans joined(Spans a, const Spans &b) const;
  Spans among(mlir::StringAttr dim);
  Spans fit(Spans spans, int64_t least, int64_t most, llvm::StringRef what);
  Spans rounded(Spans spans);
  std::optional<unsigned> premise(const Size &left, const Size &right, llvm::StringRef what);
  void lookUp(mlir::Operation *op, mlir::StringAttr dim, mlir::Value index);
  bool keepsInside(const Span &span, const Size &size, mlir::Operation *op, mlir::StringAttr dim);

  struct Premise {
    Size left, right;
    std::string what;
  };

  mlir::func::FuncOp function;
  const Dims &dims;
  Known known;
  SizeFacts facts;
  llvm::DenseMap<mlir::Value, Spans> memo;
  std::vector<Premise> premises;
  std::vector<Obligation> asked;
  llvm::SmallVector<mlir::Operation *> open;
};

} // namespace weft::model

#endif // WEFT_IR_MODEL_POSITIONS_H
