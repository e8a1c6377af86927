// The cores (micro-kernels) of every product of matrices: a register tile that runs along k.
#ifndef WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H
#define WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Stored.h"
#include "ir/cpu/Amx.h"
#include "ir/cpu/Tile.h"
#include "ir/model/weights/WeightGroups.h"

namespace weft::cpu {

/// What the cores of a schedule are made for: the largest tile, steps along k in one pass of the
/// loop (a power of two), each with sums of its own where a tile is small, and how many vector
/// registers these may take. One step is one order of sums for all tiles (decision 86).
struct CoreSet {
  Tile most;
  int64_t unroll, accumulators;
  /// A wider one, where there are no more rows than it has.
  Tile few = {0, 0};

  int64_t panelsFor(int64_t rows) const {
    return rows <= few.rows ? std::max(few.panels, most.panels) : most.panels;
  }
};

/// How a core finds its operands.
struct Core {
  /// The left side: rows that are contiguous along k, each at its own offset, or a panel [k][rows],
  /// or a matrix [rows][k], or one [k][rows]; matrices lie at a stride.
  enum class Left { rows, panel, matrix, transposed } left = Left::rows;
  /// The right side: panels [k][16], or the rows of a matrix where it lies.
  enum class Right { panels, matrix } right = Right::panels;
  CoreSet set;
  /// Whether a matrix on the right is stored as bfloat16.
  bool narrow = false;
  /// Panels whose weights share scales; then the right side's address and stride count bytes, and k
  /// begins with a group.
  std::optional<model::WeightFormat> grouped = {};
  /// The same, widened to pairs (ScaledPairs.h); then products are dot products.
  bool scaled = false;
  /// Panels of bfloat16, two rows in a word; k begins with a pair.
  bool paired = false;
  /// The left side is stored as bfloat16 too, or the right side in groups, whose numbers are exact
  /// as bfloat16, and products of two terms are added up by one
  /// instruction. Of words it is rows, or a panel [k / 2][rows][2], or a transposed matrix in such
  /// words, whose stride counts these; their last pair has zeros where k is odd. Of tiles it is a
  /// matrix.
  PairProducts dots = PairProducts::none;

  /// Both sides are stored as bfloat16, the right one in panels of pairs; by words, or by tiles,
  /// which are always the same.
  static Core ofPairs(Left left, CoreSet set, PairProducts dots) {
    if (dots == PairProducts::tiles)
      set = {.most = {amx::rows, amx::panels}, .unroll = 1, .accumulators = 1};
    return {.left = left, .right = Right::panels, .set = set, .paired = true, .dots = dots};
  }
};

/// The operands of one call. tile[rows][panels * 16] (+)= left[rows][k] * right[k][panels * 16].
struct CoreCall {
  llvm::Value *rows, *panels; // i64; at least 1; if not constant, at most those of the set
  llvm::Value *k;             // i64; 0 gives zeros
  llvm::Value *left;          // ptr to the first element
  llvm::Value *offsets;     // ptr to i64: each row's offset in elements; only for Core::Left::rows
  llvm::Value *right;       // ptr to the first element, or group
  llvm::Value *rightStride; // i64, elements (of groups, bytes): from a panel to the next; for a
                            // matrix, from a row to the next
  llvm::Value *tile;        // ptr
  llvm::Value *tileStride;  // i64, elements from a row of the tile to the next
  llvm::Value *accumulate;  // i1: add to what the tile holds
  llvm::Value *leftStride = nullptr; // i64, elements; only for matrices on the left
};

/// Calls the core for as many rows and panels; each core is emitted once a module.
void callCore(llvm::IRBuilderBase &builder, Emission &emission, Core core, const CoreCall &call);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H
