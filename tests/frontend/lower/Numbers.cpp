// The record's formula (seeds/README.md): a hash of the position, in 32-bit arithmetic.
#include "Numbers.h"

namespace weft::test {

static uint32_t hash(uint32_t i, uint32_t salt) {
  uint32_t x = i + salt * 0x9E3779B9u;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

reference::Array numbers(llvm::ArrayRef<int64_t> shape, Formula formula) {
  reference::Array array{{shape.begin(), shape.end()}, {}};
  auto count = static_cast<uint32_t>(reference::countOf(shape));
  if (formula.modulus) {
    reference::Wholes values(count);
    for (uint32_t i = 0; i < count; ++i)
      values[i] = hash(i, formula.salt) % formula.modulus;
    array.data = std::move(values);
    return array;
  }
  reference::Floats values(count);
  for (uint32_t i = 0; i < count; ++i) {
    double u = (hash(i, formula.salt) >> 8) / 16777216.0;
    values[i] = static_cast<float>(formula.offset + (u - 0.5) * formula.scale);
  }
  array.data = std::move(values);
  return array;
}

} // namespace weft::test
