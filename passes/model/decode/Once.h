// What does not depend on the sequence at all: the part of a model that one computation serves for
// all positions.
#ifndef WEFT_PASSES_MODEL_DECODE_ONCE_H
#define WEFT_PASSES_MODEL_DECODE_ONCE_H

#include "passes/model/decode/Causality.h"

namespace weft::decode {

/// Looks through a function in program order; loops until nothing changes.
class Once {
public:
  Once(mlir::func::FuncOp function, const Causality &causality);

  /// Whether to compute `value` once and keep it: it is the same in every call, depends on an input
  /// or a parameter, and is no view. Elementwise whole numbers and switches, such as masks, are
  /// recomputed where they are needed.
  bool isKept(mlir::Value value) const;

private:
  void visit(mlir::Block &block);
  void visit(model::RepeatOp op);
  bool grows(mlir::Value value) const;
  /// Whether a value is the same in every call, and whether it depends on data.
  void set(mlir::Value value, bool isSame, bool isData);

  const Causality &causality;
  llvm::DenseSet<mlir::Value> same, data;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_ONCE_H
