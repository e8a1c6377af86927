// Matrix products of a group of four warps (wgmma): what they have summed up and nobody may see
// yet.
#ifndef WEFT_RUNTIME_EMULATOR_PRODUCTS_H
#define WEFT_RUNTIME_EMULATOR_PRODUCTS_H

#include "runtime/emulator/Shadow.h"

#include <vector>

namespace weft::emulator {

constexpr unsigned warpsOfGroup = 4, threadsOfGroup = 128;

/// Sums of one shape that stay where they are from product to product.
struct Sums {
  unsigned columns = 0;
  uint32_t group = 0;        ///< the last one that adds to them
  std::vector<float> values; ///< 64 rows
  bool taken = true;
};

/// What one product reads of shared memory.
struct ProductReads {
  uint16_t operation = 0;
  uint32_t group = 0;
  Pieces pieces;
  unsigned waited = 0; ///< warps of the group, as a mask
};

struct Products {
  std::vector<Sums> sums;
  std::vector<ProductReads> reads;
  uint32_t committed[warpsOfGroup * 32] = {}; ///< groups, by thread
  bool fenced[warpsOfGroup * 32] = {};        ///< registers were written before the fence
};

} // namespace weft::emulator
#endif
