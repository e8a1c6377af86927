// Which kernels multiply bfloat16 by bfloat16.
#ifndef WEFT_IR_KERNEL_STORAGE_PAIRPRODUCTS_H
#define WEFT_IR_KERNEL_STORAGE_PAIRPRODUCTS_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

struct Term; // ContractionForm.h

/// Whether both sides of a term's products are stored as bfloat16, the right one in pairs of rows.
bool isPairTerm(FusedOp op, const Term &term);
/// Whether a term's left side is stored as bfloat16, and its right side in whole numbers that share
/// scales, which are exact as bfloat16.
bool isScaledTerm(FusedOp op, const Term &term);
/// Whether instructions that add up two products of bfloat16 at once compute all products of a
/// contraction, or the scores of an attention.
bool multipliesPairs(FusedOp op);
/// Whether such instructions compute all products of a contraction of many rows, where they are
/// instructions for words: of some terms numbers that share scales, and pairs of the others.
bool multipliesScaledPairs(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_STORAGE_PAIRPRODUCTS_H
