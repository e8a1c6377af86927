// How kernels are cut on a GPU.
#include "ir/cuda/Schedules.h"

#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/Walk.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using weft::kernel::Family;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

llvm::ArrayRef<Device> devices() {
  // A100 and H100 SXM.
  static constexpr Device table[] = {{"sm_80", 80, false, 108}, {"sm_90a", 90, true, 132}};
  return table;
}

// Threads of a block, blocks that a multiprocessor holds of 2048 threads, and lanes that a thread
// has in flight, to cover the time that memory takes.
static constexpr int64_t usualThreads = 256, blocksEach = 8, usualUnroll = 4;

/// Whether threads of a row need each other: they add up, or read what others keep.
static bool cooperates(const kernel::RowProgram &program) {
  return llvm::any_of(program.stages, [&](const kernel::RowStage &stage) {
    return !stage.lanes || (!program.lanesOuter && !stage.reductions.empty()) ||
           !stage.spread.empty();
  });
}

static RowsAttr rowsFor(const kernel::RowProgram &program, KernelCase kernel,
                        const Device &device) {
  MLIRContext *context = kernel.op.getContext();
  int64_t blocks = device.multiprocessors * blocksEach;
  int64_t unknown = usualThreads * usualUnroll;
  int64_t count =
      std::max<int64_t>(kernel.dims.known(kernel::sizeOf(program.lanes)).value_or(unknown), 1);
  if (program.lanes.empty())
    return RowsAttr::get(context, warpThreads, warpThreads, 1, blocks);
  int64_t team = usualThreads;
  if (count < unknown) // a warp needs no barrier to add up
    team = std::min<int64_t>(warpThreads, llvm::bit_ceil(uint64_t(count)));
  if (program.lanesOuter && count >= usualThreads)
    team = usualThreads;
  if (cooperates(program))
    team = std::max(team, warpThreads);
  int64_t unroll = std::clamp<int64_t>(count / team, 1, usualUnroll);
  return RowsAttr::get(context, usualThreads, team, unroll, blocks);
}

static FailureOr<ScheduleAttr> usual(KernelCase kernel, const Device &device) {
  MLIRContext *context = kernel.op.getContext();
  int64_t blocks = device.multiprocessors * blocksEach;
  if (kernel.op.getFamily() == Family::scatter)
    return ScheduleAttr(ScatterAttr::get(context, usualThreads, 1, blocks));
  if (kernel::isScan(kernel.op))
    return ScheduleAttr(RowsAttr::get(context, usualThreads, warpThreads, 1, blocks));
  FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  return ScheduleAttr(rowsFor(expanded->program, kernel, device));
}

static LogicalResult check(KernelCase kernel, ScheduleAttr schedule) {
  if (!schedule.suits(kernel.op.getFamily()))
    return kernel.op.emitOpError()
           << schedule << " is no schedule of " << stringifyFamily(kernel.op.getFamily());
  auto rows = dyn_cast<RowsAttr>(schedule);
  if (!rows || rows.getTeam() >= warpThreads)
    return success();
  bool together = kernel::isScan(kernel.op);
  if (!together) {
    FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
    if (failed(expanded))
      return failure();
    together = cooperates(expanded->program);
  }
  if (together)
    return kernel.op.emitOpError("has threads that need each other in teams of ")
           << rows.getTeam() << ": `team` is at least " << warpThreads;
  return success();
}

FailureOr<ScheduleAttr> scheduleOf(KernelCase kernel, const Device &device) {
  kernel.op.getContext()->getOrLoadDialect<CudaDialect>(); // where no text named it
  DictionaryAttr given = kernel.op.getScheduleAttr();
  auto schedule = given ? given.getAs<ScheduleAttr>(device.name) : ScheduleAttr();
  if (!schedule)
    return usual(kernel, device);
  if (failed(check(kernel, schedule)))
    return failure();
  return schedule;
}

} // namespace weft::cuda
