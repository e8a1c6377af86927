// A random program, with the sizes of its runs.
#pragma once

#include "tools/reduce/subject/Subject.h"

namespace weft::hunter {

/// The program of a seed: the same everywhere, always.
reduce::Subject generate(uint64_t seed);

} // namespace weft::hunter
