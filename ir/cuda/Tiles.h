// Counting tiles, for estimates.
#ifndef WEFT_IR_CUDA_TILES_H
#define WEFT_IR_CUDA_TILES_H

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace weft::cuda {

inline double tilesOf(double count, int64_t tile) {
  return std::ceil(count / double(tile));
}

/// Of elements that a block brings to shared memory, those of the thread with most.
inline double broughtByEach(int64_t elements, int64_t threads) {
  return double(llvm::divideCeil(elements, threads));
}

/// To bring an element of a side to shared memory: its place, whether there is one, reading it,
/// widening it, storing it.
constexpr double staging = 16;

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_TILES_H
