// What a tile of the gradient of attention adds to the gradients of its keys, values and queries.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H
#define WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H

#include "codegen/cpu/attention/ScoreTile.h"

namespace weft::cpu {

/// Tiles are [row][key], `keyBlock` keys a row; others are rows of `stride` elements, those of keys
/// from the block's first.
struct GradientProducts {
  llvm::IRBuilderBase &b;
  Emission &emission;
  const ScoreTile::Part &part;
  int64_t keyBlock;

  /// to[key] += sum[row](tile[row][key] * right[row]), where `right` begins with the part's rows.
  void addToKeys(CoreSet cores, llvm::Value *tile, llvm::Value *right, llvm::Value *stride,
                 llvm::Value *to) const;
  /// to[row] += sum[key](tile[row][key] * right[key]), where `to` has all rows.
  void addToQueries(CoreSet cores, llvm::Value *tile, llvm::Value *right, llvm::Value *stride,
                    llvm::Value *to) const;

private:
  llvm::Value *rowAt(llvm::Value *base, llvm::Value *row, llvm::Value *stride) const;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H
