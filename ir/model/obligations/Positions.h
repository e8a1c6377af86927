// Interval analysis of the whole numbers of a function, as programs compute them. It proves that
// the indices of gathers are in range.
#ifndef WEFT_IR_MODEL_OBLIGATIONS_POSITIONS_H
#define WEFT_IR_MODEL_OBLIGATIONS_POSITIONS_H

#include "ir/model/obligations/Obligations.h"
#include "ir/size/Intervals.h"

namespace weft::model {

class Positions {
public:
  Positions(mlir::func::FuncOp function, const Dims &dims);

  /// What must hold of sizes so that every index is in range.
  const std::vector<Obligation> &obligations() const { return asked; }
  /// Gathers that no such condition makes safe.
  const llvm::SmallVector<mlir::Operation *> &unproved() const { return open; }

private:
  Spans of(mlir::Value value) const;
  void set(mlir::Value value, Spans spans);
  void visit(mlir::Block &block);
  void visit(RepeatOp loop);
  bool staysIn(const Spans &next, const Spans &begin) const;
  Spans compute(mlir::Operation *op);
  Spans computeFloat(mlir::Operation *op);
  std::optional<Spans> arithmetic(mlir::Operation *op, Kind kind);
  Spans among(DimAttr dim);
  void checkIndex(mlir::Operation *op, DimAttr dim, mlir::Value index);
  bool keepsInside(const Span &span, const Size &size, mlir::Operation *op, DimAttr dim);

  const Dims &dims;
  Known known;
  SizeFacts facts;
  Intervals intervals;
  llvm::DenseMap<mlir::Value, Spans> found;
  unsigned steps = 0; ///< ops that were visited: those in nested loops several times
  std::vector<Obligation> asked;
  llvm::SmallVector<mlir::Operation *> open;
};

/// An index of positions of another dimension, which may be larger, is to a gather whole numbers
/// like others: makes it that.
void settleIndex(mlir::OpBuilder &builder, GatherOp gather, const Dims &dims);

} // namespace weft::model

#endif // WEFT_IR_MODEL_OBLIGATIONS_POSITIONS_H
