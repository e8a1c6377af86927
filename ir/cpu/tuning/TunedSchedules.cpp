// Which tuned schedule a kernel gets.
#include "ir/cpu/tuning/TunedSchedules.h"

#include "ir/cpu/tuning/KernelKey.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace weft::cpu {

std::string textOf(kernel::ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << schedule;
  return text;
}

TunedSchedules::TunedSchedules(llvm::StringRef text, llvm::StringRef machine) {
  ReadTunings read = readTunings(text);
  table = tableOf(read, machine);
  problems = std::move(read.problems);
}

kernel::ScheduleAttr TunedSchedules::usable(const Tuning &tuning, KernelCase kernel,
                                            const Machine &machine, std::string &why) {
  FailureOr<kernel::ScheduleAttr> usual = defaultSchedule(kernel, machine);
  if (failed(usual)) // whoever asks for it next says why
    return why = "the kernel has no default", nullptr;
  std::string said;
  ScopedDiagnosticHandler listening(kernel.op.getContext(), [&](Diagnostic &each) {
    said += (said.empty() ? "" : "; ") + each.str();
  });
  // No text of another kind gets to the parser.
  Attribute parsed = llvm::StringRef(tuning.tuned).starts_with("#cpu.")
                         ? parseAttribute(tuning.tuned, kernel.op.getContext())
                         : nullptr;
  auto schedule = dyn_cast_or_null<kernel::ScheduleAttr>(parsed);
  if (!schedule)
    return why = "`" + tuning.tuned + "` is no schedule" + (said.empty() ? "" : ": " + said),
           nullptr;
  if (failed(checkSchedule(kernel.op, schedule, machine)))
    return why = said, nullptr;
  if (textOf(*usual) != tuning.usual)
    return why = "it was compared with another default, " + tuning.usual + "; now that is " +
                 textOf(*usual) + ": tune it again",
           nullptr;
  return schedule;
}

kernel::ScheduleAttr TunedSchedules::of(KernelCase kernel, const Machine &machine) {
  auto at = table.find({keyOf(kernel.op, kernel.dims).hash, machine.name.str()});
  if (at == table.end())
    return nullptr;
  std::string why;
  kernel::ScheduleAttr schedule = usable(at->second, kernel, machine, why);
  if (!schedule && refused.insert(at->second.line).second)
    problems.push_back({at->second.line, why});
  return schedule && !at->second.isDefault() ? schedule : nullptr;
}

std::vector<TuningProblem> TunedSchedules::takeProblems() {
  return std::exchange(problems, {});
}

} // namespace weft::cpu
