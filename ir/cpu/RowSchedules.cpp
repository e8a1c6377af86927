// Schedules of rows, tables and scatters.
#include "ir/cpu/Families.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/Walk.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using weft::kernel::ScheduleAttr;

namespace weft::cpu {

/// 16 KB of one f32 tensor: a microsecond or more, against less than one to start a task. Measured
/// on one thread, kernels of GPT-2 take as long as with 32 KB.
static constexpr int64_t usualElements = 4096;

/// Several vectors hide the latency of sums; functions such as exp need fewer to fill the execution
/// units, and take more registers. Where columns are summed, tasks are blocks of columns: there is
/// one a core, though that takes a tenth longer on one core alone.
static int64_t usualUnrollOf(const kernel::RowProgram &program, KernelCase kernel,
                             const Machine &machine) {
  int64_t most = program.heavy ? 2 : 4;
  std::optional<int64_t> count = kernel.dims.known(kernel::sizeOf(program.lanes));
  if (!count)
    return most;
  int64_t vectors = *count / machine.lanes;
  bool sumsColumns = program.lanesOuter && program.outer.empty() &&
                     llvm::any_of(program.stages, [](const kernel::RowStage &stage) {
                       return !stage.reductions.empty();
                     });
  if (sumsColumns)
    most = std::clamp<int64_t>(llvm::bit_floor(uint64_t(vectors / machine.cores)), 1, most);
  return std::clamp<int64_t>(vectors, 1, most);
}

Schedule rowsDefault(KernelCase kernel, const Machine &machine) {
  int64_t unroll = 1;
  if (kernel.op.getFamily() == kernel::Family::rows && !kernel::isScan(kernel.op)) {
    FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
    if (failed(expanded))
      return failure();
    unroll = usualUnrollOf(expanded->program, kernel, machine);
  }
  return ScheduleAttr(RowsAttr::get(kernel.op.getContext(), unroll, usualElements));
}

ScheduleList rowsChoices(ScheduleAttr usual, const Machine &) {
  auto base = cast<RowsAttr>(usual);
  ScheduleList result;
  for (int64_t unroll : {1, 2, 4, 8})
    for (int64_t elements : {usualElements / 4, usualElements, usualElements * 4})
      if (unroll == 1 || base.getUnroll() > 1)
        result.push_back(RowsAttr::get(usual.getContext(), unroll, elements));
  return result;
}

// Every task reads all indices, so there are no more than two a core.
Schedule scatterDefault(KernelCase kernel, const Machine &machine) {
  return ScheduleAttr(ScatterAttr::get(kernel.op.getContext(), usualElements, 2 * machine.cores));
}

ScheduleList scatterChoices(ScheduleAttr usual, const Machine &) {
  ScheduleList result;
  for (int64_t tasks : {16, 32, 64, 128, 256})
    result.push_back(ScatterAttr::get(usual.getContext(), usualElements, tasks));
  return result;
}

} // namespace weft::cpu
