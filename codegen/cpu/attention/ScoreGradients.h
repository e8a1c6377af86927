// Of a query and a block of keys: weights, gradients of the products that scores are made of, and
// what they add to the gradient of a bias.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_SCOREGRADIENTS_H
#define WEFT_CODEGEN_CPU_ATTENTION_SCOREGRADIENTS_H

#include "codegen/cpu/attention/ScoreTile.h"

namespace weft::cpu {

/// The gradient of a bias, which one task adds up in memory: it is cleared before. The order of use
/// is `takeArea`, then `enterBlock`, then `add`.
class BiasGradient {
public:
  BiasGradient(Frame frame, kernel::FusedOp op, unsigned result, const AttentionForm &form);
  void takeArea(ScratchAreas &areas, int64_t rows, int64_t keys);
  void enterBlock(const TaskRange &block);
  /// Whether a row has one number for all keys.
  bool perRow() const { return access.perRow(); }
  /// `row` is one of all rows.
  void add(llvm::Value *value, llvm::Value *row) const;
  /// 16 keys from `key`, of all; those off in `exist` are not touched.
  void add(llvm::Value *values, llvm::Value *row, llvm::Value *key, llvm::Value *exist) const;

private:
  Frame frame;
  TileAccess access;
  llvm::Value *tables = nullptr;
  int64_t mostRows = 0;
};

/// Zeros in all of a result that position `task` of the dimensions `shared` has.
void clearResult(Frame frame, kernel::FusedOp op, unsigned result, const DimList &shared,
                 const DimList &columns, llvm::Value *task);

struct ScoreGradients {
  llvm::IRBuilderBase &b;
  ScoreTile &scores;
  llvm::ArrayRef<BiasGradient> bias;
  /// Of all rows: what weights are relative to, as a sum, and sum(gradient * output).
  llvm::Value *shifts, *rests, *products;
  /// Of the tile, in the shape of the scores: gradients of weights.
  llvm::Value *weightGradients;
  /// Where these come in pairs; null where they stay floats.
  llvm::Value *pairs;
  int64_t keyBlock;

  /// Row `i` of the tile, after those before it: products become the weights that values are summed
  /// by, gradients of weights become ln 2 times those of the products. With `pairs` they are
  /// rounded to bfloat16: weights become words of two rows, [i / 2][key], where the products were,
  /// whose upper halves are those of the row with the odd number, or zeros; gradients become so in
  /// `pairs`, and halves, from where their line begins.
  void emit(llvm::Value *i, const ScoreTile::Part &part) const;

private:
  llvm::Value *at(llvm::Value *base, llvm::Value *index) const;
  void store(llvm::Value *i, llvm::Value *key, llvm::Value *weights, llvm::Value *slopes) const;
  void storeWord(llvm::Value *i, llvm::Value *key, llvm::Value *halves, llvm::Value *words) const;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_SCOREGRADIENTS_H
