// The description of a tensor in global memory that copies of tiles go by: 128 bytes, whose layout
// is the emulator's own, as a device's is its driver's.
#ifndef WEFT_RUNTIME_EMULATOR_NUMBERS_TENSORMAP_H
#define WEFT_RUNTIME_EMULATOR_NUMBERS_TENSORMAP_H

#include "runtime/Abi.h"

#include <cstdint>
#include <string>

namespace weft::emulator {

enum class TensorSwizzle : uint8_t { none, bytes32, bytes64, bytes128 };

/// What cuTensorMapEncodeTiled is told: sizes from the contiguous dimension on, distances in bytes
/// of all dimensions but that.
struct Tensor {
  const void *base = nullptr;
  unsigned elementBytes = 0; ///< 1, 2, 4 or 8
  unsigned rank = 0;         ///< 1 to 5
  uint64_t sizes[5] = {}, strides[4] = {};
  uint32_t box[5] = {}; ///< the part that a copy takes
  uint32_t steps[5] = {1, 1, 1, 1, 1};
  TensorSwizzle swizzle = TensorSwizzle::none;
};

/// 64 bytes are the alignment of what is handed to a kernel.
struct alignas(64) TensorMap {
  uint32_t magic;
  uint8_t rank, elementBytes;
  TensorSwizzle swizzle;
  uint8_t unused;
  uint64_t base, sizes[5], strides[4];
  uint16_t box[5];

  uint64_t boxBytes() const;
  static constexpr uint32_t expected = 0x50414d54;
};
static_assert(sizeof(TensorMap) == 128);

/// What is wrong, as the driver would refuse it, or "".
std::string encode(TensorMap &map, const Tensor &tensor);
/// The same of what a launch says.
std::string encode(TensorMap &map, const WeftTensorMap &tensor);

/// By what bits 4 to 6 of an address in shared memory are exchanged.
inline uintptr_t swizzled(uintptr_t address, TensorSwizzle swizzle) {
  uintptr_t mask = (1u << unsigned(swizzle)) - 1;
  return address ^ (address >> 7 & mask) << 4;
}

} // namespace weft::emulator
#endif
