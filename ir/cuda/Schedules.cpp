// How kernels are cut on a GPU.
#include "ir/cuda/AttentionSchedules.h"
#include "ir/cuda/GroupAttentionSchedules.h"
#include "ir/cuda/ProductSchedules.h"

#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/Walk.h"
#include "ir/model/Entries.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using weft::kernel::Family;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

llvm::ArrayRef<Device> devices() {
  // A100 and H100 SXM; a block has least on 8.6 and 8.9.
  static constexpr Device table[] = {{"sm_80", 80, false, 108, 99 << 10},
                                     {"sm_90a", 90, true, 132, mostSharedAsked}};
  return table;
}

// Blocks that a multiprocessor holds of 2048 threads, and lanes that a thread has in flight, to
// cover the time that memory takes.
static constexpr int64_t blocksEach = 8, usualUnroll = 4;

/// Whether threads of a row need each other: they add up, or read what others keep.
static bool cooperates(const kernel::RowProgram &program) {
  return llvm::any_of(program.stages, [&](const kernel::RowStage &stage) {
    return !stage.lanes || (!program.lanesOuter && !stage.reductions.empty()) ||
           !stage.spread.empty();
  });
}

/// Whether all that the program does is sums that are lanes, each for itself, and what is made of
/// them: threads may share what is summed.
static bool sumsColumns(const kernel::RowProgram &program) {
  bool sums = false;
  for (const kernel::RowStage &stage : program.stages) {
    sums |= !stage.reductions.empty();
    if (!stage.lanes || stage.lanesKept || !stage.spread.empty() || !stage.kept.empty() ||
        (!stage.reductions.empty() && (!stage.stores.empty() || stage.over.empty())))
      return false;
  }
  return program.lanesOuter && sums && program.cached.empty();
}

static int64_t sumsOf(const kernel::RowProgram &program) {
  int64_t sums = 0;
  for (const kernel::RowStage &stage : program.stages)
    sums += int64_t(stage.reductions.size());
  return sums;
}

/// Of a block of `threads`, for what they add up to.
static int64_t sharedByColumns(const kernel::RowProgram &program, int64_t threads, int64_t lanes) {
  constexpr int64_t widest = 16; // a sum in f64, or a value and its position
  return sumsOf(program) * threads / warpThreads * lanes * widest;
}

/// Where there are too few columns for a thread each.
static ScheduleAttr columnsFor(const kernel::RowProgram &program, KernelCase kernel,
                               const Device &device) {
  auto known = [&](ArrayRef<model::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims));
  };
  std::optional<int64_t> columns = known(program.lanes), rows = known(program.outer);
  constexpr int64_t many = 64;
  bool isLong = llvm::any_of(program.stages, [&](const kernel::RowStage &stage) {
    return known(stage.over).value_or(many) >= many;
  });
  if (!sumsColumns(program) || !isLong || !columns || !rows ||
      *columns * *rows > device.multiprocessors * usualThreads)
    return {};
  // A warp reads whole sectors of 32 bytes, and no more than is needed for all to have work.
  bool narrow = llvm::any_of(kernel.op.getLayoutsAttr(),
                             [](Attribute layout) { return bool(kernel::storageIn(layout)); });
  int64_t lanes = warpThreads, least = narrow ? 16 : 8;
  while (lanes > least &&
         int64_t(llvm::divideCeil(*columns, lanes)) * *rows < device.multiprocessors)
    lanes /= 2;
  // Of several sums a thread has more registers than there are for a block of 1024.
  int64_t threads = sumsOf(program) > 1 ? mostThreads / 2 : mostThreads;
  if (sharedByColumns(program, threads, lanes) > mostShared)
    return {};
  return ColumnsAttr::get(kernel.op.getContext(), threads, lanes,
                          device.multiprocessors * blocksEach);
}

static ScheduleAttr rowsFor(const kernel::RowProgram &program, KernelCase kernel,
                            const Device &device) {
  MLIRContext *context = kernel.op.getContext();
  if (ScheduleAttr columns = columnsFor(program, kernel, device))
    return columns;
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
  if (kernel.op.getFamily() == Family::contraction)
    return contractionFor(kernel, device);
  if (ScheduleAttr attention = attentionFor(kernel, device))
    return attention;
  if (kernel.op.getFamily() == Family::scatter)
    return ScheduleAttr(ScatterAttr::get(context, usualThreads, 1, blocks));
  if (kernel::isScan(kernel.op))
    return ScheduleAttr(RowsAttr::get(context, usualThreads, warpThreads, 1, blocks));
  FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  return rowsFor(expanded->program, kernel, device);
}

static LogicalResult check(KernelCase kernel, ScheduleAttr schedule, const Device &device) {
  if (!schedule.suits(kernel.op.getFamily()))
    return kernel.op.emitOpError()
           << schedule << " is no schedule of " << stringifyFamily(kernel.op.getFamily());
  if (auto attention = dyn_cast<WgmmaAttentionAttr>(schedule))
    return checkGroupAttention(kernel, attention, device);
  if (auto split = dyn_cast<SplitAttentionAttr>(schedule))
    return checkSplitAttention(kernel, split);
  if (auto byQueries = dyn_cast<ByQueriesAttr>(schedule))
    return success(succeeded(checkSplitAttention(kernel, byQueries.getFew())) &&
                   succeeded(check(kernel, byQueries.getMany(), device)));
  if (isa<AttentionAttr, AttentionGradAttr, MmaAttentionAttr, MmaAttentionGradAttr>(schedule))
    return checkAttention(kernel, schedule, device);
  if (isa<ByRowsAttr, FewRowsAttr, MmaAttr, WgmmaAttr>(schedule))
    return checkProducts(kernel, schedule, device);
  if (auto columns = dyn_cast<ColumnsAttr>(schedule)) {
    FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
    if (failed(expanded))
      return failure();
    int64_t shared = sharedByColumns(expanded->program, columns.getThreads(), columns.getLanes());
    if (shared > mostShared)
      return kernel.op.emitOpError("shares ")
             << shared << " bytes in a block, and " << mostShared << " are the most";
    if (kernel::isScan(kernel.op) || !sumsColumns(expanded->program))
      return kernel.op.emitOpError(
          "does more than sums of which each lane has its own: its schedule "
          "is one of `cuda.rows`");
    return success();
  }
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

bool decodes(kernel::FusedOp op) {
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
    if (model::kindOf(around) == model::EntryKind::advance)
      return true;
  return false;
}

FailureOr<ScheduleAttr> scheduleOf(KernelCase kernel, const Device &device) {
  kernel.op.getContext()->getOrLoadDialect<CudaDialect>(); // where no text named it
  if (kernel.op->hasAttr("panels"))
    return kernel.op.emitError("packs for the CPU: the kernel stage has run for another target");
  DictionaryAttr given = kernel.op.getScheduleAttr();
  auto schedule = given ? given.getAs<ScheduleAttr>(device.name) : ScheduleAttr();
  if (!schedule)
    return usual(kernel, device);
  if (failed(check(kernel, schedule, device)))
    return failure();
  return schedule;
}

} // namespace weft::cuda
