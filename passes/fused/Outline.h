// Moves ops into one `kernel.fused`.
#ifndef WEFT_PASSES_FUSED_OUTLINE_H
#define WEFT_PASSES_FUSED_OUTLINE_H

#include "ir/kernel/Kernel.h"

namespace weft {

/// Ops without operands that are copied into every kernel that uses them: constants, positions,
/// sizes.
bool isFree(mlir::Operation *op);

/// Moves `ops` (one block, in order; free ops and views that they use may be left out: free ops are
/// cloned into the kernel) into a new `kernel.fused` that stands where the last of them stood.
/// Everything they use must be defined before that point, and everything that uses them must come
/// after it. Results: the values used outside.
kernel::FusedOp outline(mlir::ArrayRef<mlir::Operation *> ops, kernel::Family family,
                        llvm::StringRef label);

/// The values of `ops` that others use.
llvm::SmallVector<mlir::Value> leaving(mlir::ArrayRef<mlir::Operation *> ops);

/// The family of kernels that ops such as `op` need; nothing if any family may have them.
std::optional<kernel::Family> familyFor(mlir::Operation *op);

/// What a kernel of these ops is called: after the layers whose weights it multiplies by
/// (`attn.q, attn.k, attn.v`), else after its results, else after an op.
std::string labelOf(mlir::ArrayRef<mlir::Operation *> ops);

} // namespace weft

#endif // WEFT_PASSES_FUSED_OUTLINE_H
