// Barriers in shared memory (sm_90), and rings of stages that producers fill and consumers release.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_MBARRIER_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_MBARRIER_H

#include "codegen/gpu/instructions/Kernel.h"

namespace weft::gpu {

constexpr unsigned mbarrierBytes = 8;
struct Mbarrier {
  llvm::Value *address; ///< ptr addrspace(3), a multiple of 8
};

/// For so many arrivals in each phase. By one thread; the others, and copies, may know of it behind
/// `publishMbarriers` and a barrier.
void makeMbarrier(Builder &builder, Mbarrier barrier, unsigned arrivals);
void publishMbarriers(Builder &builder);
void arrive(Builder &builder, Mbarrier barrier);
/// At the same barrier of another block of the cluster, by its rank (i32): what this thread has
/// read may be written there. What it has written is not handed over.
void arriveAt(Builder &builder, Mbarrier barrier, llvm::Value *rank);
/// An arrival, with so many bytes (i32) that copies bring in this phase.
void arriveExpecting(Builder &builder, Mbarrier barrier, llvm::Value *bytes);
/// Until the phase of this parity (i32, 0 or 1) is over.
void waitForPhase(Builder &builder, Mbarrier barrier, llvm::Value *parity);

/// Who goes through a ring: its stage, and the parity of what it waits for there next. A producer
/// and a consumer are not the same, and cannot be taken for each other.
template <bool produces> struct RingPlace {
  llvm::Value *stage, *parity; ///< i32
};
using ProducerPlace = RingPlace<true>;
using ConsumerPlace = RingPlace<false>;

/// Two barriers for each stage: it is full, it is empty.
class MbarrierRing {
public:
  MbarrierRing(llvm::Value *base, unsigned stages) : base(base), stages(stages) {}
  static unsigned bytes(unsigned stages) { return stages * 2 * mbarrierBytes; }

  /// By one thread of the block: one producer arrives, and as many consumers as are said.
  void make(Builder &builder, unsigned consumers) const;
  /// All stages are empty at first, so a producer does not wait in its first round.
  ProducerPlace producer(Builder &builder) const {
    return {builder.getInt32(0), builder.getInt32(1)};
  }
  ConsumerPlace consumer(Builder &builder) const {
    return {builder.getInt32(0), builder.getInt32(0)};
  }
  void waitUntilEmpty(Builder &builder, ProducerPlace place) const;
  /// What the copies into the stage are counted by, which bring so many bytes.
  Mbarrier fills(Builder &builder, ProducerPlace place, unsigned bytes) const;
  void waitUntilFull(Builder &builder, ConsumerPlace place) const;
  void release(Builder &builder, ConsumerPlace place) const;
  /// To the producer of another block.
  void releaseAt(Builder &builder, ConsumerPlace place, llvm::Value *rank) const;
  template <bool produces>
  RingPlace<produces> next(Builder &builder, RingPlace<produces> place) const {
    llvm::Value *stage = builder.CreateAdd(place.stage, builder.getInt32(1));
    llvm::Value *wraps = builder.CreateICmpEQ(stage, builder.getInt32(stages));
    return {builder.CreateSelect(wraps, builder.getInt32(0), stage),
            builder.CreateXor(place.parity, builder.CreateZExt(wraps, builder.getInt32Ty()))};
  }

private:
  Mbarrier full(Builder &builder, llvm::Value *stage) const;
  Mbarrier empty(Builder &builder, llvm::Value *stage) const;

  llvm::Value *base;
  unsigned stages;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_MBARRIER_H
