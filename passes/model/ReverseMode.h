// Reverse-mode differentiation of a block of the model dialect.
#ifndef WEFT_PASSES_MODEL_REVERSEMODE_H
#define WEFT_PASSES_MODEL_REVERSEMODE_H

#include "passes/model/Keep.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace weft {

/// The float values of a function that depend on what it is differentiated by.
class Activity {
public:
  /// Parameters are sources, but for those called `frozen`; `inputs` are further ones.
  Activity(mlir::func::FuncOp function, mlir::ValueRange inputs, mlir::ArrayAttr frozen);
  bool has(mlir::Value value) const { return active.contains(value); }

private:
  bool visit(mlir::Block &block);
  bool visit(model::RepeatOp repeat);
  bool mark(mlir::Value value);

  mlir::SymbolTable parameters;
  mlir::ArrayAttr frozen;
  llvm::DenseSet<mlir::Value> active;
};

/// Walks one block backwards and builds the gradients of everything it depends on. A `repeat`
/// becomes a `repeat` that runs the other way; what its passes need of the forward passes is kept
/// (stacked along the loop's dimension), or recomputed.
class ReverseMode {
public:
  /// Gradients of values of `forward` are built where `builder` stands.
  ReverseMode(mlir::OpBuilder builder, mlir::Block &forward, const Activity &activity,
              const model::Dims &dims, KeepPrice price)
      : builder(builder), forward(forward), activity(activity), dims(dims), price(price) {}

  /// Adds to the gradient of `value`; nothing happens if it is not active.
  void add(mlir::Value value, mlir::Value gradient);
  /// Goes through the block; fails, with an error at the op, where no gradient is known.
  llvm::LogicalResult run();
  /// The gradient of `value`, in its full shape; zeros if nothing reached it.
  mlir::Value of(mlir::Value value);

  /// Gradients of parameters by name, each in the shape that its reads in this block have.
  llvm::MapVector<mlir::StringAttr, mlir::Value> parameters;
  /// Values from outside the block that have gradients.
  llvm::SmallVector<mlir::Value> captured;

private:
  llvm::LogicalResult visit(mlir::Operation *op);
  llvm::LogicalResult visit(model::RepeatOp op);
  void addParameter(mlir::StringAttr name, mlir::Value gradient);
  void name(mlir::Value gradient, llvm::StringRef value);
  mlir::Value zeros(mlir::Location loc, mlir::Type type);

  mlir::OpBuilder builder;
  mlir::Block &forward;
  const Activity &activity;
  const model::Dims &dims;
  KeepPrice price;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
  llvm::DenseSet<mlir::Operation *> given; ///< the ops of `forward`
};

} // namespace weft

#endif // WEFT_PASSES_MODEL_REVERSEMODE_H
