// Which result of a kernel may be written in place of an operand. The one place that says so:
// buffers are assigned by it, plans are checked against it, and the kernels' tests run every pair
// that it allows.
#ifndef WEFT_IR_KERNEL_INPLACE_H
#define WEFT_IR_KERNEL_INPLACE_H

#include "ir/kernel/Kernel.h"

namespace weft::kernel {

/// Whether a kernel that has layouts still computes the same where result `result` and operand
/// `operand` begin at one address: every element of the result is then at the address of the
/// operand's element of the same position, and no task, in whatever order and on however many
/// threads they run, reads an element after one has written it. What holds of several pairs holds
/// of them together, as long as no two results overlap.
///
/// What each family does (a change of its builder that breaks this is found by KernelHarness):
/// - `contraction`: a task computes a tile of one segment. Left and right sides are read by every
///   task of their rows and columns, and again for every block of the sum. Other operands are read
///   by the epilogue alone, 16 columns of a row at a time, all of them before the first store. So
///   the results of a segment may be written in place of an operand that only this segment's
///   epilogue reads.
/// - `rows`: all values of a position are computed before its first store. Without reductions or
///   movement a position is computed once, and reads at that position only; but where another
///   result has more dimensions, the operand is read again for each position of these. With
///   reductions all stores are in the last pass over a row: an operand that has every dimension of
///   the kernel's loops, and is read at the loops' own position alone, has by then been read but
///   where the result is stored. Threads that share a row wait for each other where one of its
///   reductions is along the lanes.
/// - `scatter`: what rows are added to is read where it is copied into the result, and by nothing
///   else; where both begin at one address, nothing is copied (codegen/rows/ScatterLoops.h).
/// - all others read at one position what they write at another, or write more than once.
bool mayWriteInPlace(FusedOp op, unsigned result, unsigned operand);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_INPLACE_H
