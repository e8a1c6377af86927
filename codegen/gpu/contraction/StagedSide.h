// A tile of one side of a product on its way: from memory to registers, from there to the memory
// that a block shares.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_STAGEDSIDE_H
#define WEFT_CODEGEN_GPU_CONTRACTION_STAGEDSIDE_H

#include "codegen/emit/Stored.h"
#include "codegen/gpu/base/Team.h"
#include "ir/kernel/Walk.h"

namespace weft::gpu {

/// `across` rows (or columns) by `depth` of the summed dimension. In shared memory it lies as
/// [depth][across + padding], perhaps twice: while one is multiplied, the next is stored. What is
/// beyond the sizes is zero.
class StagedSide {
public:
  /// What a side is: what its floats are in memory, where its batch begins (ptr), how it lies, how
  /// many of both there are (i64).
  struct Matrix {
    Stored element;
    llvm::Value *start;
    Walk acrossWalk, depthWalk;
    llvm::Value *acrossCount, *depthCount;
    bool wholeAcross, wholeDepth; ///< tiles divide the counts
    bool tf32;                    ///< is read rounded to it
  };
  struct Tile {
    unsigned across, depth;
    /// Of one half.
    unsigned bytes() const;
  };
  /// `cells`: shared memory for one half or two.
  StagedSide(Frame frame, Team &team, Tile tile, llvm::Value *cells);

  /// The tile's rows from `first` (i64) on; from now on those of `matrix` are fetched.
  void enter(const Matrix &matrix, llvm::Value *first);
  /// What this thread brings of the tile that begins at `depth` (i64).
  llvm::SmallVector<llvm::Value *> fetch(llvm::Value *depth);
  /// Puts that into half `half` (i64) of the shared memory.
  void put(llvm::ArrayRef<llvm::Value *> values, llvm::Value *half);
  /// Where the element at `depth` and `across` of a half lies.
  llvm::Value *place(llvm::Value *half, llvm::Value *depth, llvm::Value *across);

private:
  /// Which element of the tile is this thread's number `number`.
  struct Element {
    llvm::Value *across, *depth;
  };
  Element element(unsigned number);
  unsigned elementsEach() const;
  llvm::Value *isInTile(unsigned number);

  Frame frame;
  llvm::IRBuilderBase &b;
  Team &team;
  Tile tile;
  llvm::Value *cells;
  Matrix matrix{};
  bool depthFirst = false; ///< neighbours along the depth are neighbours in memory
  llvm::SmallVector<llvm::Value *> offsets, within;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_STAGEDSIDE_H
