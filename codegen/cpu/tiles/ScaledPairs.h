// Panels of whole numbers that share scales, widened to pairs of bfloat16: what RightSide writes to
// scratch and ScaledCore reads.
#ifndef WEFT_CODEGEN_CPU_TILES_SCALEDPAIRS_H
#define WEFT_CODEGEN_CPU_TILES_SCALEDPAIRS_H

#include "ir/cpu/Tile.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/weights/WeightGroups.h"

namespace weft::cpu {

/// A panel is its groups of 32 rows, one behind the other. A group is the scales of its columns, as
/// floats, then its numbers, in words of two rows as in PairedPanels.h: whole numbers of 8 bits are
/// exact in bfloat16. Rows that fill up the last group are zeros.
struct ScaledPairs {
  static constexpr int64_t lineBytes = panelWidth * int64_t(sizeof(float)); // of scales, or words
  static constexpr int64_t pairs = model::groups::length / kernel::rowsOfPair;
  static constexpr int64_t groupBytes = lineBytes * (1 + pairs);
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_SCALEDPAIRS_H
