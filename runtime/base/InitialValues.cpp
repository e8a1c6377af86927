// Initial values from counters.
#include "runtime/base/InitialValues.h"

#include "runtime/base/Philox.h"

#include <cmath>

using namespace weft::runtime;

/// Calls make(draw, values) with four values to write, where draw(n) is the n-th draw for them.
template <class Make>
static void fill(float *values, int64_t count, uint64_t seed, std::string_view name, int64_t first,
                 Make make) {
  RandomStream stream(seed, streamNamed(name));
  for (int64_t i = 0; i < count; i += 4) {
    double four[4];
    make([&](uint64_t n) { return stream.at(static_cast<uint64_t>((first + i) / 4) | n << 56); },
         four);
    for (int64_t j = i; j < count && j < i + 4; ++j)
      values[j] = static_cast<float>(four[j - i]);
  }
}

[[gnu::noinline]] // nothing is gained where a logarithm and a cosine are called, but room is lost
static void boxMuller(const std::array<uint32_t, 4> &draw, double deviation, double *four) {
  for (int pair = 0; pair < 4; pair += 2) {
    double radius = deviation * std::sqrt(-2 * std::log((draw[pair] + 1.0) * 0x1p-32));
    double sine, cosine;
    sincos(2 * M_PI * (draw[pair + 1] * 0x1p-32), &sine, &cosine);
    four[pair] = radius * cosine;
    four[pair + 1] = radius * sine;
  }
}

void weft::runtime::fillNormal(float *values, int64_t count, double deviation, uint64_t seed,
                               std::string_view name, int64_t first) {
  fill(values, count, seed, name, first,
       [&](auto draw, double *four) { boxMuller(draw(0), deviation, four); });
}

void weft::runtime::fillTruncatedNormal(float *values, int64_t count, double deviation,
                                        uint64_t seed, std::string_view name, int64_t first) {
  fill(values, count, seed, name, first, [&](auto draw, double *four) {
    boxMuller(draw(0), deviation, four);
    double again[4];
    for (int i = 0; i < 4; ++i)
      for (uint64_t n = 1; std::fabs(four[i]) > 2 * deviation; ++n) {
        boxMuller(draw(n), deviation, again);
        four[i] = again[i];
      }
  });
}

void weft::runtime::fillUniform(float *values, int64_t count, double halfWidth, uint64_t seed,
                                std::string_view name, int64_t first) {
  fill(values, count, seed, name, first, [&](auto draw, double *four) {
    std::array<uint32_t, 4> bits = draw(0);
    for (int i = 0; i < 4; ++i)
      four[i] = halfWidth * (2 * ((bits[i] + 0.5) * 0x1p-32) - 1);
  });
}
