// What the products of attention's gradient are of: copies of its operands, of all rows and of a
// block of keys, in the forms that these products read.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_GRADIENTSIDES_H
#define WEFT_CODEGEN_CPU_ATTENTION_GRADIENTSIDES_H

#include "codegen/cpu/attention/ScoreTile.h"
#include "codegen/cpu/tiles/MatrixView.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// The order of use is `takeAreas`, `enter`, `readRows`, then for each block of keys `readKeys`.
class GradientSides {
public:
  /// `factor`: what scores are products times, of which queries have it where they are copied as
  /// floats.
  GradientSides(Frame frame, kernel::FusedOp op, const AttentionForm &form,
                AttentionGradAttr schedule, double factor);

  /// Which products are of bfloat16 on both sides: scores, gradients of weights, and those of
  /// weights and of gradients of scores, which are rounded to it.
  const bool scoresArePairs, gradientsArePairs, weightsArePairs;
  /// By what such products are computed.
  static PairProducts products(bool arePairs) {
    return arePairs ? PairProducts::words : PairProducts::none;
  }

  struct Sizes {
    llvm::Value *rows, *allRows; ///< of a position, and rounded up to tiles
    llvm::Value *depth, *depthStride, *values, *valueStride;
  };
  void takeAreas(ScratchAreas &areas, const Sizes &sizes);
  void enter(llvm::Value *position);
  /// Queries and gradients of the output.
  void readRows() const;
  /// Keys as the scores' right side.
  void readKeyPanels(llvm::Value *key, llvm::Value *count) const;
  /// Keys and values.
  void readKeys(llvm::Value *key, llvm::Value *count) const;

  /// Left sides, from `row` on.
  llvm::Value *queriesOfScores(llvm::Value *row) const;
  llvm::Value *gradientsOfWeights(llvm::Value *row) const;
  /// The same as floats.
  llvm::Value *gradientRow(llvm::Value *row) const;

  /// A right side, whose rows are those of a product's sum.
  struct Right {
    llvm::Value *from, *stride;
  };
  /// From row `row` of all, where a tile begins.
  Right queries(llvm::Value *row) const;
  Right gradients(llvm::Value *row) const;
  /// From key `key` of the block, where a panel begins.
  Right keys(llvm::Value *key) const;
  /// What is left to do to a sum of gradients of scores times queries.
  double factorOfQueries() const { return weightsArePairs ? factor : 1; }

  llvm::Value *keyPanels = nullptr, *valuePanels = nullptr; ///< of scores, and of gradients

private:
  llvm::Value *floatsAt(llvm::Value *base, llvm::Value *row, llvm::Value *stride) const;
  llvm::Value *halvesAt(llvm::Value *base, llvm::Value *row, llvm::Value *stride) const;
  /// Panels of pairs of rows, of which each has `rows`.
  Right panelsFrom(llvm::Value *base, llvm::Value *row, llvm::Value *rows) const;

  llvm::IRBuilderBase &b;
  MatrixView q, k, v, gradient;
  int64_t keyBlock;
  double factor;
  Sizes sizes{};
  // Of all rows: queries times the factor, gradients [row][…]; both as they are stored; and these
  // in panels of pairs of rows. Of a block: keys [key][depth], or in pairs.
  llvm::Value *scaledQueries = nullptr, *gradientRows = nullptr, *queryHalves = nullptr,
              *gradientHalves = nullptr, *queryPairs = nullptr, *gradientPairs = nullptr,
              *keyRows = nullptr, *keyPairs = nullptr;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_GRADIENTSIDES_H
