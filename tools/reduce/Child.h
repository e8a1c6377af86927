// A trial in a child process: what ends the child is a verdict too.
#ifndef WEFT_TOOLS_REDUCE_CHILD_H
#define WEFT_TOOLS_REDUCE_CHILD_H

#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

namespace weft::reduce {

/// Of computing: LLVM may take a minute for kernels whose vectors a machine has to split.
inline constexpr double usualLimit = 200;

/// Tries the program in a child, which may compute for so many seconds. Must be called from a
/// process with one thread.
Verdict attemptInChild(const Subject &subject, double seconds);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_CHILD_H
