// How long a kernel might take with a schedule: what a search tries first, and what it leaves out.
#ifndef WEFT_TOOLS_TUNE_COSTMODEL_H
#define WEFT_TOOLS_TUNE_COSTMODEL_H

#include "ir/cpu/Schedules.h"
#include "tools/kernel/NamedTensor.h"

namespace weft::tune {

/// Seconds on `threads` cores of a machine with that many registers and caches. Only ratios between
/// schedules of one kernel mean something: clock and bandwidth are taken to be those of a Zen 3.
double predicted(cpu::KernelCase kernel, kernel::ScheduleAttr schedule, const cpu::Machine &machine,
                 int threads, const trial::Sizes &sizes);

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_COSTMODEL_H
