// The cuda dialect: schedules of kernels on an NVIDIA GPU. See Cuda.td.
#ifndef WEFT_IR_CUDA_CUDA_H
#define WEFT_IR_CUDA_CUDA_H

#include "ir/cuda/Estimate.h"
#include "ir/kernel/Kernel.h"

#include "llvm/ADT/bit.h"

#include "ir/cuda/CudaAttrInterface.h.inc"
#include "ir/cuda/CudaDialect.h.inc"

namespace weft::cuda {
constexpr int64_t warpThreads = 32, mostThreads = 1024;
/// Bytes that a block shares in kernels whose memory is fixed when they are compiled.
constexpr int64_t mostShared = 48 << 10;
/// The most that a launch may ask for on any device (sm_90; others have less: Device).
constexpr int64_t mostSharedAsked = 227 << 10;
/// Floats between rows of tiles in shared memory: 16 bytes, so that those of a warp that stores
/// across rows fall into different banks.
constexpr int64_t padding = 4;
/// Of a tile in shared memory: `depth` rows of `across` floats.
constexpr int64_t sideBytes(int64_t across, int64_t depth) {
  return depth * (across + padding) * int64_t(sizeof(float));
}
/// The launch that adds sums of parts of a depth: a block's threads, and the rows and columns that
/// it has of the result.
struct Adding {
  static constexpr int64_t threads = 256, rows = 16, columns = 128;
};
/// How many parts a depth may be cut into: of more, adding them takes longer than multiplying.
constexpr int64_t mostSplits = 64;
/// What `count` elements of bf16 have in a row of shared memory: a power of two, one product deep
/// at least.
inline int64_t narrowColumns(int64_t count) {
  return std::max<int64_t>(16, int64_t(llvm::bit_ceil(uint64_t(count))));
}
} // namespace weft::cuda

#define GET_ATTRDEF_CLASSES
#include "ir/cuda/CudaAttrdef.h.inc"

#endif // WEFT_IR_CUDA_CUDA_H
