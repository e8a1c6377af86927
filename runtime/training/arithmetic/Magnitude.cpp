// Magnitudes compare as the integers that their bits are.
#include "runtime/training/arithmetic/Magnitude.h"

#include <algorithm>
#include <bit>

using namespace weft::runtime;

namespace {
struct Scan {
  const float *values;
  int64_t count;
  std::atomic<int32_t> most{0};
};
} // namespace

static constexpr int64_t chunkSize = 1 << 16;

static void scanChunk(void *context, int64_t chunk, int) {
  Scan &scan = *static_cast<Scan *>(context);
  const float *values = scan.values + chunk * chunkSize;
  int64_t count = std::min(chunkSize, scan.count - chunk * chunkSize);
  int32_t most = 0;
  for (int64_t i = 0; i < count; ++i)
    most = std::max(most, std::bit_cast<int32_t>(values[i]) & INT32_MAX);
  int32_t before = scan.most.load();
  while (most > before && !scan.most.compare_exchange_weak(before, most))
    ;
}

float weft::runtime::largestMagnitude(Pool &pool, const float *values, int64_t count) {
  Scan scan{values, count};
  pool.run((count + chunkSize - 1) / chunkSize, scanChunk, &scan);
  return std::bit_cast<float>(scan.most.load());
}
