// Operands of a kernel that are cheaper to recompute than to read.
#ifndef WEFT_PASSES_FUSED_RECOMPUTE_H
#define WEFT_PASSES_FUSED_RECOMPUTE_H

#include "passes/fused/Groups.h"

namespace weft {

/// Copies elementwise ops outside `group` into it where that leaves it fewer tensors of the size of
/// `space` to read: the parts of an activation that its derivative needs all depend on one.
void recomputeOperands(Groups &groups, int64_t group, const DimSet &space);

} // namespace weft

#endif // WEFT_PASSES_FUSED_RECOMPUTE_H
