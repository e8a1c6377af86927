// One program, tried in every way that could show it to be wrong.
#ifndef WEFT_TOOLS_REDUCE_TRIAL_H
#define WEFT_TOOLS_REDUCE_TRIAL_H

#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

#include <functional>

namespace weft::reduce {

/// Says which step comes next: what a crash is told by.
using Progress = std::function<void(const std::string &)>;

/// Behind the name of a step: there are sizes that cannot be, and nothing may be computed.
inline constexpr const char *mustRefuse = ", which must refuse";

/// Tries the program in this process, which may end in it: see Child.h. Each entry, its gradient
/// and its update are run as compiled (with each instruction set, with one thread, with two after a
/// run on other parameters, without the passes named) and in the interpreter; what passes made is
/// held against what the source says, gradients against quotients of differences, what is continued
/// against what is recomputed. Returns at the first fault.
Verdict attempt(const Subject &subject, const Progress &progress);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_TRIAL_H
