// What a kernel is, in a few words.
#ifndef WEFT_TOOLS_WEFT_SHOW_KERNELTEXT_H
#define WEFT_TOOLS_WEFT_SHOW_KERNELTEXT_H

#include "ir/kernel/Kernel.h"

#include <string>

namespace weft {

/// The user's lines behind a kernel: `8, 9, 10`.
std::string linesOf(kernel::FusedOp op);

/// What a kernel computes, in order of first appearance: `contract x3, add, tanh`.
std::string contentsOf(kernel::FusedOp op);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SHOW_KERNELTEXT_H
