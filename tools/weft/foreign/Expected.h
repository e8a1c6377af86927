// Recorded results of an entry, and what the program gives instead.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_EXPECTED_H
#define WEFT_TOOLS_WEFT_FOREIGN_EXPECTED_H

#include "tools/weft/base/Options.h"

namespace weft {

/// Runs an entry of the program with the weights of `checkpoint` on the inputs that the file
/// `--expect` has, and compares its results with those there. Says the first difference above
/// `--tolerance`; returns the exit code.
int compareExpected(const Arguments &arguments, const std::string &checkpoint);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_EXPECTED_H
