// What random programs are made of: in how many of them each thing occurs.
#pragma once

#include "Generate.h"

#include <cstdint>
#include <map>

namespace weft::hunter {

/// Builds and lowers `count` programs from `seed` on, runs none, and prints in how many of them
/// each op, kind of statement and family of kernels occurs. Gives the number of those that must
/// occur and do not, and of programs that are refused and should not be.
unsigned survey(uint64_t seed, uint64_t count);

/// What is refused of `count` programs from `seed` on, by all that `weft check` does.
struct Refusals {
  std::map<std::string, unsigned> codes; ///< how many programs with each error
  std::vector<std::string> wrong;        ///< seeds and words of those that should not be
};
Refusals refusals(uint64_t seed, uint64_t count);

} // namespace weft::hunter
