// What the plain driver of the fuzzers does to inputs.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace weft::fuzz {

using Random = std::mt19937_64;

/// An input of `pool` (which is not empty), changed in one to a few places: bits, bytes, numbers as
/// text and as integers of either order, pieces cut, doubled, moved, taken from another input, and
/// brackets as deep as `most` bytes allow. Never longer than `most`.
std::string mutated(const std::vector<std::string> &pool, size_t most, Random &random);

} // namespace weft::fuzz
