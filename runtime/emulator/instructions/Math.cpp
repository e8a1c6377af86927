// Functions that a device computes in one instruction, up to a stated error: here they are as far
// off as they may be, by a part of the bound that is drawn from the argument's bits.
#include "runtime/emulator/Cluster.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace weft::emulator;

namespace {
/// From -1 to 1.
double drawn(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x) * 0x9e3779b9u;
  bits ^= bits >> 15;
  return int32_t(bits * 0x85ebca6bu) * 0x1p-31;
}

float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

/// `exact` within a relative error of `bound`, which its rounding to a float is part of: what an
/// instruction gives is a float. Values that are exact stay so.
float within(double exact, float x, double bound) {
  auto result = float(exact * (1 + drawn(x) * bound));
  bool isFar = std::fabs(double(result) - exact) > bound * std::fabs(exact);
  return isFar ? std::nextafter(result, float(exact)) : result;
}

void count() {
  ++Cluster::current().counts.approximations;
}
} // namespace

extern "C" {

float weft_emulated_ex2(float x, bool flush) {
  count();
  if (flush)
    x = flushed(x);
  if (x == 0)
    return 1;
  float y = within(std::exp2(double(x)), x, 0x1p-22);
  return flush ? flushed(y) : y;
}

float weft_emulated_lg2(float x, bool flush) {
  count();
  if (flush)
    x = flushed(x);
  double exact = std::log2(double(x));
  if (!std::isfinite(exact) || exact == 0)
    return float(exact);
  // Absolute where the result is small.
  return x > 0.5f && x < 2 ? float(exact + drawn(x) * 0x1p-22) : within(exact, x, 0x1p-22);
}

float weft_emulated_rcp(float x, bool flush) {
  count();
  if (flush)
    x = flushed(x);
  float y = x == 0 ? 1 / x : within(1 / double(x), x, 0x1p-23);
  return flush ? flushed(y) : y;
}

float weft_emulated_rsqrt(float x, bool flush) {
  count();
  if (flush)
    x = flushed(x);
  return x == 0 ? 1 / x : within(1 / std::sqrt(double(x)), x, 0x1.2p-23);
}

float weft_emulated_sqrt(float x, bool flush) {
  count();
  if (flush)
    x = flushed(x);
  return x == 0 ? x : within(std::sqrt(double(x)), x, 0x1p-23);
}

float weft_emulated_sin(float x) {
  count();
  return float(std::sin(double(x)) + drawn(x) * 0x1p-20);
}

float weft_emulated_cos(float x) {
  count();
  return float(std::cos(double(x)) + drawn(x) * 0x1p-20);
}

float weft_emulated_tanh(float x) {
  count();
  double exact = std::tanh(double(x));
  float y = within(exact, x, 0x1p-11);
  return std::fabs(y) > 1 ? std::copysign(1.0f, y) : y;
}

/// To the 10 bits of tf32, halves away from zero.
uint32_t weft_emulated_tf32(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7f800000) == 0x7f800000)
    return bits;
  return (bits + 0x1000) & ~0x1fffu;
}

} // extern "C"
