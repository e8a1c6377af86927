// The two functions that each family of kernels has beside its builder: the default schedule, and
// the others that are worth measuring.
#ifndef WEFT_IR_CPU_FAMILIES_H
#define WEFT_IR_CPU_FAMILIES_H

#include "ir/cpu/Schedules.h"

namespace weft::cpu {

using Schedule = mlir::FailureOr<kernel::ScheduleAttr>;
using ScheduleList = llvm::SmallVector<kernel::ScheduleAttr>;

Schedule contractionDefault(KernelCase kernel, const Machine &machine);
ScheduleList contractionChoices(kernel::ScheduleAttr usual, const Machine &machine);

Schedule packDefault(KernelCase kernel, const Machine &machine);
ScheduleList packChoices(kernel::ScheduleAttr usual, const Machine &machine);

Schedule attentionDefault(KernelCase kernel, const Machine &machine);
ScheduleList attentionChoices(kernel::ScheduleAttr usual, const Machine &machine);

Schedule attentionGradDefault(KernelCase kernel, const Machine &machine);
ScheduleList attentionGradChoices(kernel::ScheduleAttr usual, const Machine &machine);

/// Of kernels of rows, running sums among them, and of tables.
Schedule rowsDefault(KernelCase kernel, const Machine &machine);
ScheduleList rowsChoices(kernel::ScheduleAttr usual, const Machine &machine);

Schedule scatterDefault(KernelCase kernel, const Machine &machine);
ScheduleList scatterChoices(kernel::ScheduleAttr usual, const Machine &machine);

/// What a machine's registers hold of a product: the largest tile, and the number of registers for
/// sums.
Tile largestTile(const Machine &machine);
int64_t accumulatorsOf(const Machine &machine);
/// All registers of a machine of which so many hold sums.
int64_t registersBeside(int64_t accumulators);
/// The tile for so many panels, if they are known: no narrow remainder where another shape has
/// none.
Tile tileFor(const Machine &machine, std::optional<int64_t> panels);
/// Steps along what is summed in one pass of a micro-kernel's loop.
constexpr int64_t usualUnroll = 4;

} // namespace weft::cpu

#endif // WEFT_IR_CPU_FAMILIES_H
