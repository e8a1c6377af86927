// The schedules that tuning has found, for the kernels of a program.
#ifndef WEFT_IR_CPU_TUNING_TUNEDSCHEDULES_H
#define WEFT_IR_CPU_TUNING_TUNEDSCHEDULES_H

#include "ir/cpu/Schedules.h"
#include "ir/cpu/tuning/Tunings.h"

#include <set>

namespace weft::cpu {

/// A schedule as dumps write it, without an alias.
std::string textOf(kernel::ScheduleAttr schedule);

class TunedSchedules {
public:
  /// Of a file's text, for a machine. What is wrong with entries waits in `takeProblems`.
  TunedSchedules(llvm::StringRef text, llvm::StringRef machine);

  /// The schedule that a kernel should have on a machine with an instruction set; null where
  /// nothing better than the default was found, or what was found cannot be used, which is a
  /// problem then.
  kernel::ScheduleAttr of(KernelCase kernel, const Machine &machine);

  /// What was wrong since the last call, each entry once.
  std::vector<TuningProblem> takeProblems();

private:
  /// Parses and checks the schedule of an entry; says why not in `why`.
  static kernel::ScheduleAttr usable(const Tuning &tuning, KernelCase kernel,
                                     const Machine &machine, std::string &why);

  TuningTable table;
  std::vector<TuningProblem> problems;
  std::set<unsigned> refused; ///< lines of which something was said
};

} // namespace weft::cpu

#endif // WEFT_IR_CPU_TUNING_TUNEDSCHEDULES_H
