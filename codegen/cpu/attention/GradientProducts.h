// What a tile of the gradient of attention adds to the gradients of its keys, values and queries.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H
#define WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H

#include "codegen/cpu/attention/GradientSides.h"
#include "codegen/cpu/tiles/Product.h"

namespace weft::cpu {

/// Tiles are [row][key], `keyBlock` keys a row; sums are rows of `stride` floats. In `pairs`, of
/// bfloat16, a tile has words of two rows, [row / 2][key], where keys are summed for, and rows of
/// halves, whose lines have the length of as many floats, where queries are.
struct GradientProducts {
  llvm::IRBuilderBase &b;
  Emission &emission;
  const ScoreTile::Part &part;
  int64_t keyBlock;
  bool pairs;

  struct Sums {
    llvm::Value *from, *stride;
  };
  /// to[key] += sum[row](tile[row][key] * right[row]), where `right` begins with the part's rows,
  /// and `to` with the block's keys.
  void addToKeys(CoreSet cores, llvm::Value *tile, GradientSides::Right right, Sums to) const;
  /// to[row] += sum[key](tile[row][key] * right[key]), where `right` begins with the part's keys,
  /// and `to` has all rows.
  void addToQueries(CoreSet cores, llvm::Value *tile, GradientSides::Right right, Sums to) const;

private:
  Product productOf(CoreSet cores, Core::Left left, GradientSides::Right right, Sums to,
                    llvm::Value *first) const;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_GRADIENTPRODUCTS_H
