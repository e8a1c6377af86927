// The schedules of a kernel that are worth a trial.
#include "tools/tune/Candidates.h"

#include "ir/cpu/PlacedContraction.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <limits>

namespace weft::tune {

/// Rows of the launch that has the fewest.
static int64_t leastRows(const Subject &subject) {
  auto form = cpu::readPlaced(subject.op);
  if (failed(form))
    return 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const trial::Sizes &sizes : subject.points) {
    int64_t rows = 1;
    for (model::DimAttr dim : form->rows)
      rows *= sizes.at(dim.str());
    least = std::min(least, rows);
  }
  return least;
}

/// The schedule without what no launch of at least so many rows comes to. A last block of rows may
/// have few; its time does not tell one schedule from another.
static kernel::ScheduleAttr whatRuns(kernel::ScheduleAttr schedule, int64_t rows) {
  auto each = llvm::dyn_cast<cpu::ContractionAttr>(schedule);
  if (!each || each.tileFor(rows) != each.getTile())
    return schedule;
  return each.withFew(cpu::Tile{1, 1});
}

mlir::FailureOr<std::vector<kernel::ScheduleAttr>> candidatesOf(const Subject &subject,
                                                                const kernel::DimTable &dims,
                                                                const cpu::Machine &machine,
                                                                int cores) {
  cpu::Machine own = machine;
  own.cores = cores;
  std::vector<kernel::ScheduleAttr> all;
  llvm::DenseSet<kernel::ScheduleAttr> known;
  kernel::FusedOp op = subject.op;
  const int64_t rows = op.getFamily() == kernel::Family::contraction ? leastRows(subject) : 0;
  for (const cpu::Machine &each : {machine, own}) {
    auto legal = cpu::legalSchedules({op, dims}, each);
    if (failed(legal))
      return mlir::failure();
    for (kernel::ScheduleAttr schedule : *legal)
      if (known.insert(whatRuns(schedule, rows)).second)
        all.push_back(schedule);
  }
  return all;
}

} // namespace weft::tune
