// A matrix of keys or their values whose rows are read by lanes side by side, straight to
// registers.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SPLIT_KEYLANES_H
#define WEFT_CODEGEN_GPU_ATTENTION_SPLIT_KEYLANES_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/Buffers.h"

namespace weft::gpu {

/// Lane l of `lanes` has the pieces l, l + lanes, … of each row: elements side by side, as many as
/// are certain to be read at once, at most 16 bytes.
class KeyLanes {
public:
  KeyLanes(const AttentionBuffers &buffers, unsigned buffer, const DimList &columns,
           llvm::ArrayRef<unsigned> alignments);

  int64_t columns() const { return count; }
  /// Lanes that a row of its own wants, a power of two of at most a warp.
  unsigned lanesWanted() const;
  /// Columns that a lane has, of which some may be none.
  unsigned columnsEach(unsigned lanes) const { return piecesEach(lanes) * piece; }
  /// The column of a lane's element of this number, i64, and whether there is one; `number` may be
  /// a constant alone.
  llvm::Value *column(llvm::Value *lane, unsigned lanes, unsigned number) const;
  llvm::Value *exists(llvm::Value *column) const;
  /// The lane's elements of a row as floats; 0 where there is none.
  emit::Values load(llvm::Value *row, llvm::Value *lane, unsigned lanes) const;

private:
  unsigned piecesEach(unsigned lanes) const;
  bool isWhole(unsigned lanes) const { return int64_t(columnsEach(lanes)) * lanes == count; }
  emit::Values loadPiece(llvm::Value *from) const;

  const AttentionBuffers &buffers;
  unsigned buffer;
  const DimList &dims;
  int64_t count;
  unsigned piece;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SPLIT_KEYLANES_H
