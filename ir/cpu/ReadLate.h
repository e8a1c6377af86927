// What a kernel writes and no cache still holds when it is read.
#ifndef WEFT_IR_CPU_READLATE_H
#define WEFT_IR_CPU_READLATE_H

#include "ir/cpu/Schedules.h"

namespace weft::cpu {

/// Whether all that the kernel computes is returned by its entry, read by nobody there but
/// scatters that add to some of its rows, and one of so many returned bytes that the first of them
/// have left the caches when the entry ends: gradients of the weights of a large model. False where
/// the kernel reads anything of the size of its result: that is in the caches then.
bool isReadLate(KernelCase kernel);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_READLATE_H
