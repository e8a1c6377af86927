// Where a role stands in a ring, from tile to tile.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_RINGPOSITION_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_RINGPOSITION_H

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Mbarrier.h"

namespace weft::gpu {

/// A variable, since the body of a tile is a scope that gives no values; it lies in registers.
template <class Place> class RingPosition {
public:
  RingPosition(Builder &builder, Place first)
      : b(builder),
        slots{emit::stackSlot(b, b.getInt32Ty(), 1, 4), emit::stackSlot(b, b.getInt32Ty(), 1, 4)} {
    is(first);
  }
  void is(Place place) {
    b.CreateStore(place.stage, slots[0]);
    b.CreateStore(place.parity, slots[1]);
  }
  Place get() const {
    return {b.CreateLoad(b.getInt32Ty(), slots[0]), b.CreateLoad(b.getInt32Ty(), slots[1])};
  }

private:
  Builder &b;
  llvm::Value *slots[2];
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_RINGPOSITION_H
