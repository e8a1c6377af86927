// Building a program, for `weft build` and for `weft run`.
#ifndef WEFT_TOOLS_WEFT_BUILD_BUILD_H
#define WEFT_TOOLS_WEFT_BUILD_BUILD_H

#include "ir/cpu/Machine.h"
#include "tools/weft/base/Compilation.h"

namespace weft {

/// The instruction sets of `target` that `--isa` asks for, else all, or the first `usual` ones;
/// prints what is wrong with it.
std::optional<std::vector<std::string>> chosenSets(const Arguments &arguments, const Target &target,
                                                   size_t usual = SIZE_MAX);

/// The CPU's instruction set that `--isa` names, else the best that a program would choose here, or
/// x86-64-v3 where it would find none. Says what is wrong in `problem`, if that is not printed.
std::optional<cpu::Isa> chosenIsa(const Arguments &arguments, std::string &problem);

/// Compiles and links into `output`; returns the exit code. The program carries the weights at
/// `weightsFrom`, if that is not empty, and what lies beside them.
int buildTo(Compilation &compilation, const std::string &output, bool shared,
            const std::string &weightsFrom = "");

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_BUILD_H
