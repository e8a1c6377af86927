// The random numbers of `model.random`: a pure function, the same in compiled programs.
#ifndef WEFT_IR_REFERENCE_RANDOM_H
#define WEFT_IR_REFERENCE_RANDOM_H

#include "ir/reference/Philox.h"

#include <string_view>

namespace weft::reference {

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

/// What stands for the path of an op, its place in the program.
constexpr uint32_t randomPath(std::string_view path) {
  uint64_t hash = hashOf(path);
  return uint32_t(hash ^ hash >> 32);
}

/// Uniform in [0, 1), a multiple of 2^-24.
inline double randomUnit(uint64_t seed, uint64_t step, uint32_t path, uint64_t index) {
  const uint64_t draws[] = {seed, step, 0};
  return weft_random(draws, path, index);
}

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_RANDOM_H
