// Matrix products of a group of four warps (wgmma) that go on by themselves: what they read, and
// what they have summed up and nobody may see yet.
#ifndef WEFT_RUNTIME_EMULATOR_PRODUCTS_H
#define WEFT_RUNTIME_EMULATOR_PRODUCTS_H

#include "runtime/emulator/Shadow.h"

#include <deque>
#include <vector>

namespace weft::emulator {

constexpr unsigned warpsOfGroup = 4, threadsOfGroup = 128, rowsOfWarp = 16;

/// A warp's 16 rows of sums, which stay where they are from product to product. What its registers
/// hold meanwhile is not a number, and says which these are.
struct WarpSums {
  unsigned columns = 0, pitch = 0;
  uint32_t group = 0;   ///< the last group of products that adds to them
  uint32_t holding = 0; ///< lanes whose registers stand for them; 0: free
  std::vector<float> values;
};

/// What one product of a warp reads of shared memory.
struct ProductReads {
  uint16_t operation = 0, site = 0;
  uint32_t group = 0;
  Pieces pieces;
};

/// A product that not all warps of the group have come to yet.
struct GroupProduct {
  uint64_t left = 0, right = 0; ///< descriptors
  uint16_t site = 0;
  unsigned columns = 0, pitch = 0, came = 0;
  std::vector<float> values; ///< of the right side, by depth
};

struct WarpProducts {
  std::vector<WarpSums> sums;
  std::vector<ProductReads> reads;
  uint64_t number = 0;         ///< of products that it came to
  uint32_t committed[32] = {}; ///< groups, by lane
  bool fenced[32] = {};        ///< since it last waited
  unsigned agent = 0;          ///< of `Knowledge::landed`
  uint32_t landings = 0;
};

struct Products {
  WarpProducts warps[warpsOfGroup];
  std::deque<GroupProduct> open;
  uint64_t first = 0; ///< the number of the first open one
};

} // namespace weft::emulator
#endif
