// One side of a product by mma.sync on its way: pieces of it go from global memory to a stage of
// the ring in shared memory.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_RINGSIDE_H
#define WEFT_CODEGEN_GPU_CONTRACTION_RINGSIDE_H

#include "codegen/gpu/instructions/Tile.h"

#include <functional>

namespace weft::gpu {

/// A side of a product: elements over the summed dimension, the depth, and over the rows or
/// columns of the result, which it lies across. Indices and sizes are i64.
struct Side {
  /// Elements from `data` to what has this index.
  using Offset = std::function<llvm::Value *(llvm::Value *index)>;

  llvm::Value *data; ///< ptr addrspace(1) to element 0
  bool alongDepth;   ///< pieces lie along the depth, else across
  /// Of a piece: that many bytes lie side by side from every multiple of them on, and addresses of
  /// pieces are multiples of it. 16, 8 and 4 are copied by cp.async; one element, of 2 bytes, by a
  /// load and a store.
  unsigned pieceBytes;
  Offset across, depth;
  bool wholeAcross = false, wholeDepth = false; ///< tiles divide the sizes

  /// A matrix whose rows, or columns, are `pitch` elements (i64) apart.
  static Side matrix(Builder &builder, llvm::Value *data, llvm::Value *pitch, bool alongDepth,
                     unsigned pieceBytes);
};

class RingSide {
public:
  /// What threads of a block bring: tiles of `wide` by `deep` elements.
  struct Shape {
    unsigned threads, wide, deep, elementBytes;
  };
  /// The tiles from index `begin` on, of `size` there are; the depth is `depth`.
  RingSide(Builder &builder, const Shape &shape, const Side &side, llvm::Value *begin,
           llvm::Value *size, llvm::Value *depth);

  /// Of a stage.
  static unsigned bytes(const Shape &shape) { return shape.wide * shape.deep * shape.elementBytes; }
  /// Brings, or asks for, what the stage (ptr addrspace(3)) holds from depth `deep` on; what lies
  /// outside becomes zeros.
  void fill(llvm::Value *stage, llvm::Value *deep) const;
  SharedTile tile(llvm::Value *stage) const;

private:
  struct Part {
    llvm::Value *row, *inRow;      ///< of the tile, in elements (i64)
    llvm::Value *place;            ///< in the stage, in bytes (i32)
    llvm::Value *exists = nullptr; ///< null: whatever the thread
    llvm::Value *across = nullptr; ///< its offset
    llvm::Value *atMost = nullptr; ///< elements (i64) that lie inside across, or null: all
  };
  unsigned pieces() const { return rowBytes / side.pieceBytes; }
  unsigned elements() const { return side.pieceBytes / shape.elementBytes; }
  Part part(llvm::Value *piece) const;
  /// Elements of the piece that lie inside (i64; null: all), and its offset, 0 if none does.
  std::pair<llvm::Value *, llvm::Value *> inside(const Part &part, llvm::Value *deep) const;
  void copy(const Part &part, llvm::Value *stage, llvm::Value *deep) const;
  void move(llvm::Value *stage, llvm::Value *deep) const;

  Builder &builder;
  Shape shape;
  const Side &side;
  llvm::Value *begin, *size, *depth;
  unsigned tileRows, rowBytes;
  llvm::SmallVector<Part> parts;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_RINGSIDE_H
