// How a rows kernel reads and writes memory: vectors where lanes lie side by side, gathers and
// scatters where not.
#ifndef WEFT_CODEGEN_ROWS_ROWMEMORY_H
#define WEFT_CODEGEN_ROWS_ROWMEMORY_H

#include "codegen/emit/Elementwise.h"
#include "codegen/emit/Frame.h"
#include "codegen/emit/Stored.h"
#include "codegen/rows/RowPlaces.h"
#include "ir/kernel/Kernel.h"

namespace weft::rows {

/// A tensor in memory: its address, how an element lies there, and its strides in elements. What
/// has no stride along a dimension is constant along it.
struct MemoryTensor {
  llvm::Value *address = nullptr;
  Stored element;
  llvm::SmallVector<std::pair<DimAttr, llvm::Value *>> strides;
  /// So many elements lie at a multiple of their bytes, from where lanes come together (Place).
  unsigned beside = 1;
  /// Only in the row that is being computed, not where an op reads another.
  bool inOwnRow = false;
};

/// The buffers of a kernel with strided layouts: its operands, then its results. The frame's
/// builder stands at the beginning of the function.
llvm::SmallVector<MemoryTensor> bufferTensors(Frame frame, kernel::FusedOp op);

class RowMemory {
public:
  RowMemory(llvm::IRBuilderBase &builder, Scopes &scopes, unsigned lanes, Numbers numbers)
      : builder(builder), scopes(scopes), lanes(lanes), numbers(numbers) {}

  /// The element at the positions of `frame`, as `Stored` loads it: a scalar if all lanes have the
  /// same address.
  llvm::Value *load(const MemoryTensor &tensor, const RowFrame &frame);
  /// Stores a scalar, or a vector of lanes. A scalar is splat if lanes have addresses of their own;
  /// a vector needs an address for each lane.
  void store(const MemoryTensor &tensor, llvm::Value *value, const RowFrame &frame);
  /// The same of several positions, together where they come together.
  void storeAll(const MemoryTensor &tensor, llvm::ArrayRef<llvm::Value *> values,
                llvm::ArrayRef<RowFrame> frames);
  /// How many elements lie between the tensor's first and the row that `frame` has places of.
  llvm::Value *before(const MemoryTensor &tensor, const RowFrame &frame);
  /// lane -> number of the lane, <L x i64>.
  llvm::Value *laneNumbers();

private:
  /// The address of lane 0, and either the distance of lanes in elements (null: all there) or an
  /// offset for each.
  struct Address {
    llvm::Value *base;
    llvm::Value *step = nullptr, *offsets = nullptr;
  };
  std::pair<llvm::Value *, llvm::Value *> apart(llvm::Value *position, llvm::Value *stride) const;
  llvm::Value *whetherThere(const MemoryTensor &tensor, const RowFrame &frame);
  Address locate(const MemoryTensor &tensor, const RowFrame &frame);
  llvm::Value *pointers(const Address &address, const Stored &element);
  llvm::Value *allLanes(const RowFrame &frame);
  llvm::Value *splat(llvm::Value *value);
  void storeOne(const Stored &element, llvm::Value *value, llvm::Value *address);

  // Elements that are read or written at once (RowPieces.cpp).
  struct Piece {
    DimAttr dim; ///< along which its lanes stand
    const Place *place;
    unsigned count;
    unsigned start() const { return place->number / count * count; }
  };
  std::optional<Piece> pieceOf(const MemoryTensor &tensor, const RowFrame &frame) const;
  llvm::Value *addressOf(const MemoryTensor &tensor, const RowFrame &frame, const Piece &piece);
  llvm::Value *loadPiece(const MemoryTensor &tensor, const RowFrame &frame, const Piece &piece);
  llvm::Value *elementOf(const Stored &element, llvm::Value *piece, unsigned number);
  llvm::Value *packed(const Stored &element, llvm::ArrayRef<llvm::Value *> values);

  llvm::IRBuilderBase &builder;
  Scopes &scopes;
  unsigned lanes;
  Numbers numbers;
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWMEMORY_H
