// Matrices in shared memory as a product of four warps finds them: PTX ISA, "Matrix descriptor".
#ifndef WEFT_RUNTIME_EMULATOR_NUMBERS_DESCRIPTOR_H
#define WEFT_RUNTIME_EMULATOR_NUMBERS_DESCRIPTOR_H

#include "runtime/emulator/numbers/TensorMap.h"

namespace weft::emulator {

/// A matrix of so many rows (or columns of the right side), which is as deep as 32 bytes are.
class Descriptor {
public:
  Descriptor(uint64_t bits, unsigned elementBytes, bool transposed, char *shared)
      : shared(shared), elementBytes(elementBytes), transposed(transposed),
        start(field(bits, 0) << 4), leading(field(bits, 16) << 4), stride(field(bits, 32) << 4),
        swizzle(modes[bits >> 62]), isPlain((bits >> 49 & 7) == 0) {}

  /// Only patterns that begin at their multiples are known.
  bool isKnown() const { return isPlain; }
  /// How many elements lie together, and the next such piece in which way.
  unsigned together() const { return 16 / elementBytes; }
  /// Where 16 bytes lie: `row` and `deep` are multiples of together() in the direction that is
  /// contiguous.
  char *piece(unsigned row, unsigned deep) const {
    uintptr_t address = start;
    unsigned wide = 16u << unsigned(swizzle);
    if (!transposed) {
      unsigned chunk = deep / together();
      if (swizzle == TensorSwizzle::none)
        address += row / 8 * stride + row % 8 * 16 + chunk * leading;
      else
        address += row / 8 * stride + row % 8 * wide + chunk * 16;
    } else {
      unsigned chunk = row / together();
      if (swizzle == TensorSwizzle::none)
        address += chunk * stride + deep % 8 * 16 + deep / 8 * leading;
      else
        address += chunk % (wide / 16) * 16 + chunk / (wide / 16) * leading + deep % 8 * wide +
                   deep / 8 * stride;
    }
    return reinterpret_cast<char *>(
        swizzled(reinterpret_cast<uintptr_t>(shared) + address, swizzle));
  }

private:
  static constexpr TensorSwizzle modes[] = {TensorSwizzle::none, TensorSwizzle::bytes128,
                                            TensorSwizzle::bytes64, TensorSwizzle::bytes32};
  static uint64_t field(uint64_t bits, unsigned from) { return bits >> from & 0x3fff; }

  char *shared;
  unsigned elementBytes;
  bool transposed;
  uint64_t start, leading, stride;
  TensorSwizzle swizzle;
  bool isPlain;
};

} // namespace weft::emulator
#endif
