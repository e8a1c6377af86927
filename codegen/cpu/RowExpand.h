// Idioms as the primitive ops that a rows kernel computes.
#ifndef WEFT_CODEGEN_CPU_ROWEXPAND_H
#define WEFT_CODEGEN_CPU_ROWEXPAND_H

#include "ir/kernel/Kernel.h"

namespace weft::cpu {

/// A copy of `op`, outside any block, in which softmax, logsumexp, normalize, their gradients and
/// contract are spelled out. The caller erases it.
kernel::FusedOp expandIdioms(kernel::FusedOp op);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWEXPAND_H
