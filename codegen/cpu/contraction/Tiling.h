// How the rows or the panels of a task are shared out among its register tiles.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_TILING_H
#define WEFT_CODEGEN_CPU_CONTRACTION_TILING_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Loops.h"

namespace weft::cpu {

/// Whether tiles of `unit` make up the positions along `dims`. Then a task has whole tiles, if
/// tasks are cut at tiles (Blocking), as all but the last then have anyway.
inline bool hasWholeTiles(const emit::Sizes &sizes, const DimList &dims, int64_t unit) {
  std::optional<int64_t> count = sizes.known(sizeOf(dims));
  return count && *count % unit == 0;
}

/// Whether a launch may have no more of `dims` than a tile of `unit`: then columns are cut by
/// panels (Blocking), and tiles of them may be narrow.
inline bool mayBeOneTile(const emit::Sizes &sizes, const DimList &dims, int64_t unit) {
  return sizes.known(sizeOf(dims)).value_or(0) <= unit;
}

/// `count` rows or panels in tiles of at most `unit`, as even as they can be. Where the count is
/// known to be a multiple of the unit (`whole`), tiles have a constant size, and no code for others
/// is emitted.
class Tiling {
public:
  Tiling() = default;
  Tiling(llvm::IRBuilderBase &builder, llvm::Value *count, int64_t unit, bool whole)
      : count(count), number(emit::ceilDiv(builder, count, builder.getInt64(unit))), unit(unit),
        whole(whole) {}
  /// Tiles of at most `unit`, which may be known only when the kernel runs.
  Tiling(llvm::IRBuilderBase &builder, llvm::Value *count, llvm::Value *unit)
      : count(count), number(emit::ceilDiv(builder, count, unit)) {}

  llvm::Value *tiles() const { return number; }
  /// Where tile `tile` starts; that of number `tiles()` is where the last one ends.
  llvm::Value *start(llvm::IRBuilderBase &builder, llvm::Value *tile) const {
    if (whole)
      return builder.CreateNSWMul(tile, builder.getInt64(unit));
    return builder.CreateUDiv(builder.CreateNSWMul(tile, count), number);
  }
  llvm::Value *size(llvm::IRBuilderBase &builder, llvm::Value *tile) const {
    if (whole)
      return builder.getInt64(unit);
    llvm::Value *next = builder.CreateNSWAdd(tile, builder.getInt64(1));
    return builder.CreateNSWSub(start(builder, next), start(builder, tile));
  }

private:
  llvm::Value *count = nullptr, *number = nullptr;
  int64_t unit = 1;
  bool whole = false;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_TILING_H
