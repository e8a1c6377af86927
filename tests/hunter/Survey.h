// What random programs are made of: in how many of them each thing occurs.
#pragma once

#include <cstdint>

namespace weft::hunter {

/// Builds and lowers `count` programs from `seed` on, runs none, and prints in how many of them
/// each op, kind of statement and family of kernels occurs. Gives the number of those that must
/// occur and do not.
unsigned survey(uint64_t seed, uint64_t count);

} // namespace weft::hunter
