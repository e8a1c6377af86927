// What a launch is expected to take of a device, as far as its kernel, its schedule and sizes say
// it: what `weft explain` predicts by (docs/predictions.md).
#ifndef WEFT_IR_CUDA_ESTIMATE_H
#define WEFT_IR_CUDA_ESTIMATE_H

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"
#include "ir/kernel/work/Work.h"

#include <memory>

namespace weft::cuda {

/// What is done is done by all threads of all blocks together.
struct Estimate {
  int64_t blocks = 0;
  int64_t tiles = 0;       ///< that blocks deal out among them; 0: each has its own
  bool byGroups = false;   ///< products are those of four warps
  int64_t threads = 0;     ///< of a block
  int64_t sharedBytes = 0; ///< of a block
  int64_t registers = 0;   ///< of a thread: sums, what is read beside them, addresses
  double instructions = 0; ///< of threads
  double floats = 0;       ///< of these, additions, products, and both in one, of floats
  double tensorFlops = 0;  ///< of products of bf16 by matrix instructions: operations
  double tf32Flops = 0;    ///< of those of tf32
  double sharedBytesMoved = 0;
  double globalBytesMoved = 0; ///< between blocks and the second cache
  /// What is launched behind it, and the bytes that it is left in scratch; null: nothing.
  std::shared_ptr<const Estimate> then;
  double left = 0;
};

/// Of two kernels that are one launch.
Estimate together(const Estimate &one, const Estimate &other);

/// A kernel with layouts, its dimensions, and the numbers that these are taken for.
struct EstimateCase {
  kernel::FusedOp op;
  const kernel::DimTable &dims;
  const kernel::SizesAt &sizes;

  double count(llvm::ArrayRef<model::DimAttr> list) const;
  /// Bytes of an element of a buffer: operands first, then results.
  int64_t elementBytes(unsigned buffer);
};

// Instructions around one that computes, by what was counted on the emulator.
constexpr double addressing = 4; ///< of an element of a buffer: its place
constexpr double looping = 4;    ///< of a step of a loop: its count, its end
constexpr double function = 28;  ///< of tanh, log, …: a polynomial and what is around it
constexpr double exponential =
    9;                         ///< of exp, which a device has itself (codegen/gpu/base/DeviceMath)
constexpr double ofThem = 0.5; ///< the part of that which adds or multiplies floats
constexpr double drawing = 80; ///< of a random number: whole numbers alone
constexpr int64_t drawnRegisters =
    48; ///< for a random number: its counter, keys, the halves of products
constexpr int64_t usualRegisters = 24, rowRegisters = 16; ///< for places, loops, what is at hand
constexpr int64_t mostRegisters = 255;                    ///< that an instruction can name

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_ESTIMATE_H
