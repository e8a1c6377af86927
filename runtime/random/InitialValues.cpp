// Initial values from counters.
#include "runtime/random/InitialValues.h"

#include "runtime/random/Philox.h"

#include <cmath>

using namespace weft::runtime;

/// Calls make(draw, values) with four values to write for each draw.
template <class Make>
static void fill(float *values, int64_t count, uint64_t seed, std::string_view name, Make make) {
  RandomStream stream(seed, streamNamed(name));
  for (int64_t i = 0; i < count; i += 4) {
    double four[4];
    make(stream.at(static_cast<uint64_t>(i / 4)), four);
    for (int64_t j = i; j < count && j < i + 4; ++j)
      values[j] = static_cast<float>(four[j - i]);
  }
}

void weft::runtime::fillNormal(float *values, int64_t count, double deviation, uint64_t seed,
                               std::string_view name) {
  fill(values, count, seed, name, [&](const std::array<uint32_t, 4> &draw, double *four) {
    for (int pair = 0; pair < 4; pair += 2) {
      double radius = deviation * std::sqrt(-2 * std::log((draw[pair] + 1.0) * 0x1p-32));
      double angle = 2 * M_PI * (draw[pair + 1] * 0x1p-32);
      four[pair] = radius * std::cos(angle);
      four[pair + 1] = radius * std::sin(angle);
    }
  });
}

void weft::runtime::fillUniform(float *values, int64_t count, double halfWidth, uint64_t seed,
                                std::string_view name) {
  fill(values, count, seed, name, [&](const std::array<uint32_t, 4> &draw, double *four) {
    for (int i = 0; i < 4; ++i)
      four[i] = halfWidth * (2 * ((draw[i] + 0.5) * 0x1p-32) - 1);
  });
}
