// What kernels of one cumsum or top compute, whatever runs them.
#ifndef WEFT_CODEGEN_ROWS_SCANS_H
#define WEFT_CODEGEN_ROWS_SCANS_H

#include "codegen/rows/RowNest.h"

namespace weft::rows {

/// The running sum at `frame`, which has positions along all other dimensions: one position after
/// the other, stored in the kernel's result. With vectors where the kernel has lanes.
void runningSum(OrderedKernel &kernel, model::CumSumOp op, const RowFrame &frame);

/// A number that is the larger the earlier `value` at `position` comes among the largest: in the
/// high half the order of the value (NaN above all, -0 like 0), in the low half INT32_MAX -
/// position, so that of equal values the first is the larger. i64.
llvm::Value *rankOf(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Value *position);
/// Puts `rank` into the slot `best` if it is the largest so far of those below `below`.
void keepLarger(llvm::IRBuilderBase &builder, llvm::Value *rank, llvm::Value *below,
                llvm::Value *best);
/// The position of a rank, i32.
llvm::Value *positionOf(llvm::IRBuilderBase &builder, llvm::Value *rank);

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_SCANS_H
