// The schedules of a kernel that are worth a trial.
#ifndef WEFT_TOOLS_TUNE_CANDIDATES_H
#define WEFT_TOOLS_TUNE_CANDIDATES_H

#include "ir/cpu/Schedules.h"
#include "tools/tune/Subjects.h"

namespace weft::tune {

/// The default first, then what is legal beside it, for `machine` and for a machine like it of
/// `cores` cores. Of schedules that run the same code wherever the subject is launched, only the
/// first: a tile for few rows says nothing where no launch has few. Failure: a kernel that has no
/// schedules.
mlir::FailureOr<std::vector<kernel::ScheduleAttr>> candidatesOf(const Subject &subject,
                                                                const kernel::DimTable &dims,
                                                                const cpu::Machine &machine,
                                                                int cores);

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_CANDIDATES_H
