// Building a program, for `weft build` and for `weft run`.
#ifndef WEFT_TOOLS_WEFT_BUILD_BUILD_H
#define WEFT_TOOLS_WEFT_BUILD_BUILD_H

#include "tools/weft/base/Compilation.h"
#include "tools/weft/build/InstructionSets.h"

namespace weft {

/// Compiles and links into `output`; returns the exit code. The program carries the weights at
/// `weightsFrom`, if that is not empty, and what lies beside them.
int buildTo(Compilation &compilation, const std::string &output, RunsOn where, bool shared = false,
            const std::string &weightsFrom = "");

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_BUILD_H
