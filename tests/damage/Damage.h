// What happens to files: bits that flip, cuts, sizes that say too much, nesting, pieces that move.
#pragma once
#include <cstdint>
#include <random>
#include <string>

using Random = std::mt19937_64;

/// One damaged version of a whole file.
std::string damaged(const std::string &whole, Random &random);
