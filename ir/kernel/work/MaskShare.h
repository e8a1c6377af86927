// How much of a mask is true.
#ifndef WEFT_IR_KERNEL_WORK_MASKSHARE_H
#define WEFT_IR_KERNEL_WORK_MASKSHARE_H

#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/Work.h"

namespace weft::kernel {

/// Queries and keys that are computed together.
struct MaskTile {
  int64_t rows = 1, keys = 1;
};
/// The part of all tiles in which the mask shows anything, by what it says at some places; what
/// hangs on more than positions and sizes is taken for true.
double maskShare(const AttentionForm &form, const SizesAt &sizes, MaskTile tile = {});

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_WORK_MASKSHARE_H
