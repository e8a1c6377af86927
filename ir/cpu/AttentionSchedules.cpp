// Schedules of attention and of its gradient.
#include "ir/cpu/Amx.h"
#include "ir/cpu/Families.h"
#include "ir/kernel/AttentionForm.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using weft::kernel::AttentionForm;
using weft::kernel::ScheduleAttr;

namespace weft::cpu {

/// The tile of products whose columns are `dims`.
static Tile tileAlong(KernelCase kernel, const Machine &machine, const model::DimList &dims) {
  std::optional<int64_t> columns = kernel.dims.known(kernel::sizeOf(dims));
  return tileFor(machine, columns ? std::optional<int64_t>(llvm::divideCeil(*columns, panelWidth))
                                  : std::nullopt);
}

// A task takes so many queries that transposing its keys costs little. Few queries read keys and
// values in place: copies would cost more than they save.
Schedule attentionDefault(KernelCase kernel, const Machine &machine) {
  FailureOr<AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  // Tiles of AMX have 32 rows, as have four of 8. They multiply so fast that a task takes more
  // queries, for each that transposes its keys.
  if (multipliesByTiles(kernel, machine))
    return ScheduleAttr(AttentionAttr::get(
        kernel.op.getContext(), Tile{8, 3}, Tile{8, 2}, usualUnroll, accumulatorsOf(machine),
        /*task_rows=*/512, /*rows=*/amx::rows, /*keys=*/256, /*few_rows=*/8,
        /*tasks=*/machine.cores, /*split_tasks=*/2 * machine.cores,
        /*split_keys=*/machine.cores > 1 ? 128 : 0));
  return ScheduleAttr(AttentionAttr::get(
      kernel.op.getContext(), largestTile(machine), tileAlong(kernel, machine, form->values),
      usualUnroll, accumulatorsOf(machine), /*task_rows=*/192, /*rows=*/24, /*keys=*/256,
      /*few_rows=*/8, /*tasks=*/machine.cores, /*split_tasks=*/2 * machine.cores,
      /*split_keys=*/machine.cores > 1 ? 128 : 0));
}

ScheduleList attentionChoices(ScheduleAttr usual, const Machine &machine) {
  auto base = cast<AttentionAttr>(usual);
  int64_t unit = std::lcm(base.getTile().rows, base.getValueTile().rows);
  if (machine.isa == Isa::amx)
    unit = std::lcm(unit, amx::rows);
  ScheduleList result;
  for (int64_t rows : {24, 48})
    for (int64_t passes : {4, 8})
      for (int64_t keys : {128, 256, 512})
        for (int64_t split : {0, 64, 128, 256})
          if (int64_t whole = llvm::alignTo(rows, unit);
              whole * keys * int64_t(sizeof(float)) <= machine.secondCache)
            result.push_back(AttentionAttr::get(
                usual.getContext(), base.getTile(), base.getValueTile(), base.getUnroll(),
                base.getAccumulators(), whole * passes, whole, keys, base.getFewRows(),
                base.getTasks(), base.getSplitTasks(), split));
  return result;
}

Schedule attentionGradDefault(KernelCase kernel, const Machine &machine) {
  FailureOr<AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  return ScheduleAttr(AttentionGradAttr::get(
      kernel.op.getContext(), largestTile(machine), tileAlong(kernel, machine, form->depth),
      tileAlong(kernel, machine, form->values), usualUnroll, accumulatorsOf(machine),
      /*rows=*/48, /*keys=*/96, /*split_tasks=*/2 * machine.cores,
      /*split_keys=*/!form->addsInMemory() && machine.cores > 1 ? 192 : 0));
}

ScheduleList attentionGradChoices(ScheduleAttr usual, const Machine &machine) {
  auto base = cast<AttentionGradAttr>(usual);
  int64_t unit =
      std::lcm(std::lcm(base.getTile().rows, base.getDepthTile().rows), base.getValueTile().rows);
  ScheduleList result;
  for (int64_t rows : {24, 48, 96})
    for (int64_t keys : {48, 96, 192})
      for (int64_t split : {int64_t(0), base.getSplitKeys()})
        if (int64_t whole = llvm::alignTo(rows, unit);
            2 * whole * keys * int64_t(sizeof(float)) <= machine.secondCache)
          result.push_back(AttentionGradAttr::get(
              usual.getContext(), base.getTile(), base.getDepthTile(), base.getValueTile(),
              base.getUnroll(), base.getAccumulators(), whole, keys, base.getSplitTasks(), split));
  return result;
}

} // namespace weft::cpu
