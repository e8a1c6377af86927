// A register tile of a product of matrices, as schedules say it: `8x48`.
#ifndef WEFT_IR_CPU_TILE_H
#define WEFT_IR_CPU_TILE_H

#include "mlir/IR/DialectImplementation.h"

namespace weft::cpu {

/// Columns of a panel of the right side (`#kernel.panels`): a cache line of float32. One format
/// serves every instruction set.
constexpr int64_t panelWidth = 16;

constexpr int64_t cacheLine = 64;

/// How many groups of a panel of whole numbers before it is read one is asked for. Measured with
/// GPT-2 on a Zen 4: of 4 bits a token takes 3.46 ms with 7, 2.95 with 14, 2.99 with 28; of 8 bits
/// they are equal (decision 69).
constexpr int64_t groupsAhead = 14;

/// Parts of a group of whole numbers, each of which is added up for itself: two, so that of few
/// rows additions need not wait for each other.
constexpr int64_t halvesOfGroup = 2;

/// How many positions along a sum before they are packed the rows of a left side are asked for.
/// Measured on a Zen 5: 12 to 64 take the same time, and 0.91 of the time without (decision 78).
constexpr int64_t positionsAhead = 24;

/// Rows of the left side, panels of the right.
struct Tile {
  int64_t rows, panels;

  int64_t width() const { return panels * panelWidth; }
  bool operator==(const Tile &) const = default;
};

inline llvm::hash_code hash_value(const Tile &tile) {
  return llvm::hash_combine(tile.rows, tile.panels);
}

inline llvm::raw_ostream &operator<<(llvm::raw_ostream &out, const Tile &tile) {
  return out << tile.rows << 'x' << tile.width();
}

} // namespace weft::cpu

namespace mlir {
/// `8x48`: rows and columns, these a multiple of a panel's.
template <> struct FieldParser<weft::cpu::Tile> {
  static FailureOr<weft::cpu::Tile> parse(AsmParser &parser) {
    SmallVector<int64_t> sizes;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseDimensionList(sizes, /*allowDynamic=*/false, /*withTrailingX=*/false))
      return failure();
    if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1 || sizes[1] % weft::cpu::panelWidth != 0)
      return parser.emitError(at, "a tile is ROWSxCOLUMNS, and its columns a multiple of ")
             << weft::cpu::panelWidth;
    return weft::cpu::Tile{sizes[0], sizes[1] / weft::cpu::panelWidth};
  }
};
} // namespace mlir

#endif // WEFT_IR_CPU_TILE_H
