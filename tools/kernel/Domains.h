// Which operands of a kernel are never below 0, as far as what the kernel makes of them says it.
#ifndef WEFT_TOOLS_KERNEL_DOMAINS_H
#define WEFT_TOOLS_KERNEL_DOMAINS_H

#include "ir/kernel/Kernel.h"

#include "llvm/ADT/DenseSet.h"

namespace weft::trial {

/// Numbers of the operands from which a root, a logarithm, or the base of a power that is not whole
/// is made up by sums, products and quotients. Where these are defined for some values of the
/// operands alone, a kernel is given such.
llvm::DenseSet<unsigned> neverNegative(kernel::FusedOp op);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_DOMAINS_H
