// Magnitudes compare as the integers that their bits are.
#include "runtime/training/arithmetic/Magnitude.h"

#include "runtime/machine/Ranges.h"

#include <bit>

using namespace weft::runtime;

float weft::runtime::largestMagnitude(Pool &pool, const float *values, int64_t count) {
  std::atomic<int32_t> all{0};
  overRanges(pool, "largest magnitude", count, [&](int64_t begin, int64_t end) {
    int32_t most = 0;
    for (int64_t i = begin; i < end; ++i)
      most = std::max(most, std::bit_cast<int32_t>(values[i]) & INT32_MAX);
    int32_t before = all.load();
    while (most > before && !all.compare_exchange_weak(before, most))
      ;
  });
  return std::bit_cast<float>(all.load());
}
