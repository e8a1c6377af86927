// Idioms as the primitive ops that a rows kernel computes.
#ifndef WEFT_IR_KERNEL_ROWEXPAND_H
#define WEFT_IR_KERNEL_ROWEXPAND_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// A copy of `op`, outside any block, in which softmax, logsumexp, normalize, attention, their
/// gradients and contract are expanded to simpler ops. The caller erases it.
FusedOp expandIdioms(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ROWEXPAND_H
