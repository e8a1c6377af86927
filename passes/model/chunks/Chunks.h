// Logits that are made, read and forgotten one position of a dimension of the rows at a time.
#ifndef WEFT_PASSES_MODEL_CHUNKS_H
#define WEFT_PASSES_MODEL_CHUNKS_H

#include "ir/model/Dims.h"

#include "llvm/ADT/SetVector.h"

namespace weft {

/// A product of rows with a classifier, `rows` of which come from one side alone, and all that
/// reads what is as wide: the ops that become one pass of a loop along `dim`.
class Chunks {
public:
  /// Of a product with a dimension `classes`; not of every one there are chunks: logits are a
  /// product with a parameter that has the classes, and no fewer numbers than their rows.
  Chunks(model::ContractOp logits, model::DimAttr classes, const model::Dims &dims);

  /// Why there are none, and the op that it is said of.
  struct Refusal {
    mlir::Operation *op;
    std::string why;
  };
  const std::optional<Refusal> &refusal() const { return refused; }
  /// The dimension that is looped along: the outermost of the rows.
  model::DimAttr along() const { return dim; }
  /// Whether `op` becomes part of the pass.
  bool takes(mlir::Operation *op) const { return ops.contains(op); }

  /// Moves the ops into a loop. What others read of them are its results: stacked, or, of sums
  /// along `dim`, carried.
  void form();

private:
  void findRows(const model::Dims &dims);
  void grow();
  bool add(mlir::Operation *op);
  void takeWide();
  void takeUsers(mlir::Value wide);
  void takeBetween();
  void refuseUsesOfSums();
  void takeRows();
  void follow();
  bool isWide(mlir::Value value) const;
  bool addsUp(mlir::Operation *op) const;
  void moveBehind(mlir::Operation *loop);
  void refuse(mlir::Operation *op, const llvm::Twine &why);
  void check(mlir::Operation *op);

  model::ContractOp logits;
  model::DimAttr classes, dim;
  mlir::Block &block;
  llvm::SmallVector<model::DimAttr> rows;
  llvm::SetVector<mlir::Operation *> ops, behind; ///< of the block; `behind` depends on `ops`
  std::optional<Refusal> refused;
};

} // namespace weft

#endif // WEFT_PASSES_MODEL_CHUNKS_H
