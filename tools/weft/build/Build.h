// Building a program, for `weft build` and for `weft run`.
#ifndef WEFT_TOOLS_WEFT_BUILD_BUILD_H
#define WEFT_TOOLS_WEFT_BUILD_BUILD_H

#include "codegen/cpu/base/Emission.h"
#include "tools/weft/base/Compilation.h"

namespace weft {

/// The instruction sets `--isa` asks for; prints what is wrong with it.
std::optional<std::vector<cpu::Isa>> chosenIsas(const Arguments &arguments,
                                                const std::string &usual = "x86-64-v3,avx512");

/// Compiles and links into `output`; returns the exit code. The program carries the weights at
/// `weightsFrom`, if that is not empty, and what lies beside them.
int buildTo(Compilation &compilation, const std::string &output, bool shared,
            const std::string &weightsFrom = "");

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_BUILD_H
