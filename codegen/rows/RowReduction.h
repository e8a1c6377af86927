// The accumulators of a reduction: their initial value, how a value is added, and their result.
#ifndef WEFT_CODEGEN_ROWS_ROWREDUCTION_H
#define WEFT_CODEGEN_ROWS_ROWREDUCTION_H

#include "codegen/emit/Elementwise.h"

namespace weft::rows {

using namespace weft::emit;

/// How one reduction accumulates, in scalars or vectors alike.
class Reduction {
public:
  /// `exact`: sums of floats are f64, for they are long.
  Reduction(llvm::IRBuilderBase &builder, mlir::Operation *op, Numbers numbers, bool exact);

  /// Of one accumulator.
  llvm::Type *type() const { return element; }
  llvm::Value *identity(unsigned lanes) const;
  llvm::Value *combine(llvm::Value *sum, llvm::Value *value) const;
  /// A value of the input as something to add; where `tail` is false, the identity.
  llvm::Value *term(llvm::Value *value, unsigned lanes, llvm::Value *tail) const;
  /// An accumulator as a value of the result.
  llvm::Value *result(llvm::Value *sum) const;
  /// All lanes of one vector together, as a tree.
  llvm::Value *acrossLanes(llvm::Value *sum) const;

private:
  llvm::IRBuilderBase &builder;
  mlir::Operation *op;
  llvm::Type *element, *resultElement;
};

/// The registers of a reduction while its loops run: `blocks` vectors (or scalars) that add up
/// independently.
class Accumulator {
public:
  Accumulator(llvm::IRBuilderBase &builder, const Reduction &reduction, bool isArgMax,
              unsigned blocks, unsigned lanes);

  /// What is added up; of an argmax, with its position, else null.
  struct Sum {
    llvm::Value *value, *position;
  };

  void start();
  /// `position` is the i32 position along the reduced dimension, which only argmax needs.
  void add(unsigned block, llvm::Value *value, llvm::Value *position, llvm::Value *tail);
  /// The result of one block, lane by lane.
  llvm::Value *block(unsigned number);
  /// What one block adds up to, lane by lane.
  Sum ofBlock(unsigned number);
  /// The result of all blocks and lanes together.
  llvm::Value *total() { return result(together()); }

  /// What all blocks and lanes add up to.
  Sum together();
  /// Of two of them; of equal values the first position.
  Sum combine(Sum a, Sum b);
  /// A sum as a value of the result.
  llvm::Value *result(Sum sum);

private:
  llvm::Value *load(llvm::Value *slot);
  Sum better(Sum a, Sum b);
  llvm::Value *settled(llvm::Value *position);
  llvm::Type *positionType();

  llvm::IRBuilderBase &builder;
  Reduction reduction;
  bool isArgMax;
  unsigned lanes;
  llvm::SmallVector<llvm::Value *> slots, positions;
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWREDUCTION_H
