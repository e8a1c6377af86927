// Gradients against quotients of differences, in the interpreter.
#ifndef WEFT_TOOLS_REDUCE_EXPECTED_DIFFERENCES_H
#define WEFT_TOOLS_REDUCE_EXPECTED_DIFFERENCES_H

#include "tools/reduce/expected/Expected.h"

namespace weft::reduce {

/// What is wrong with a gradient of this run of an `X.gradient`: along a direction at random for
/// each tensor, the first number of the results rises as the gradient says. Where the number bends
/// too much to tell, nothing is said.
std::optional<std::string> differs(const Run &run, const Expected &expected, uint64_t seed);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EXPECTED_DIFFERENCES_H
