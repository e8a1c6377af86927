// The cores of every product of matrices: a register tile that runs along k.
#ifndef WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H
#define WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H

#include "codegen/cpu/base/Emission.h"

namespace weft::cpu {

/// Columns of a panel of the right side (`#kernel.panels`); a line of the cache.
constexpr int64_t panelWidth = 16;

/// The largest register tile of an instruction set: rows of the left side, panels of the right.
struct Tile {
  int64_t rows, panels;

  int64_t width() const { return panels * panelWidth; }
};
Tile largestTile(Isa isa);

/// How a core finds its operands.
struct Core {
  /// The left side: rows that are contiguous along k, each at its own offset, or a panel [k][rows],
  /// or a matrix [rows][k], or one [k][rows]; matrices lie at a stride.
  enum class Left { rows, panel, matrix, transposed } left = Left::rows;
  /// The right side: panels [k][16], or the rows of a matrix where it lies.
  enum class Right { panels, matrix } right = Right::panels;
};

/// The operands of one call. tile[rows][panels * 16] (+)= left[rows][k] * right[k][panels * 16].
struct CoreCall {
  llvm::Value *rows, *panels; // i64; at least 1; if not constant, at most those of the largest tile
  llvm::Value *k;             // i64; 0 gives zeros
  llvm::Value *left;          // ptr to the first element
  llvm::Value *offsets; // ptr to i64: each row's offset in elements; only for Core::Left::rows
  llvm::Value *right;   // ptr to the first element
  llvm::Value
      *rightStride; // i64, elements: from a panel to the next; for a matrix, from a row to the next
  llvm::Value *tile;                 // ptr
  llvm::Value *tileStride;           // i64, elements from a row of the tile to the next
  llvm::Value *accumulate;           // i1: add to what the tile holds
  llvm::Value *leftStride = nullptr; // i64, elements; only for matrices on the left
};

/// Calls the core for as many rows and panels; the cores are emitted once a module and instruction
/// set.
void callCore(llvm::IRBuilderBase &builder, Emission &emission, Core core, const CoreCall &call);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_MICROKERNEL_H
