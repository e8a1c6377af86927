// The random numbers of `model.random`: a pure function, the same in compiled programs.
#ifndef WEFT_IR_REFERENCE_RANDOM_H
#define WEFT_IR_REFERENCE_RANDOM_H

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::reference {

/// Philox4x32-10. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3", SC 2011.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0], b = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(b >> 32) ^ counter[1] ^ key[0], uint32_t(b),
               uint32_t(a >> 32) ^ counter[3] ^ key[1], uint32_t(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// FNV-1a, 64 bits.
constexpr uint64_t hashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// What one step along dimension `name` adds to the index of an element. An element's index is the
/// sum over its dimensions, modulo 2^64: it depends on no order and on no size, so neither layout
/// nor batching changes a number.
constexpr uint64_t randomStride(std::string_view name) {
  return hashOf(name) | 1;
}

/// Uniform in [0, 1), a multiple of 2^-24. `path` is the hash of the op's path.
inline double randomUnit(uint64_t seed, uint64_t step, uint64_t path, uint64_t index) {
  std::array<uint32_t, 4> counter = {uint32_t(index), uint32_t(index >> 32), uint32_t(step),
                                     uint32_t(path ^ path >> 32)};
  return (philox(counter, {uint32_t(seed), uint32_t(seed >> 32)})[0] >> 8) * 0x1p-24;
}

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_RANDOM_H
