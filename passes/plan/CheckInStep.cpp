// Launches in step read what the task of their number has written, and nothing that another one
// writes: from the plan and its schedules alone, whoever made them.
#include "ir/cpu/InStep.h"
#include "ir/cpu/Tile.h"
#include "ir/plan/Accesses.h"
#include "ir/plan/InStep.h"
#include "passes/plan/PlanPromises.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// What tasks of a pack read, if each reads the elements behind those of the one before it.
std::optional<cpu::Stretches> readBy(const cpu::PackedInOrder &form, cpu::PackAttr schedule) {
  int64_t columns = schedule.getPanels() * cpu::panelWidth, rows = schedule.getRows();
  bool wholeRows = form.transposes ? rows >= form.row : columns >= form.row;
  int64_t each = (form.transposes ? columns : rows) * form.row, matrix = form.rows * form.row;
  if (!wholeRows || (form.sources > 1 && matrix % each != 0))
    return std::nullopt;
  return cpu::Stretches{each, form.total()};
}

/// The last op of an entry that writes the parameter which `buffer` is the memory of; null where it
/// is none.
Operation *lastWriterOf(LaunchOp launch, Value buffer) {
  auto parameter = buffer.getDefiningOp<ParameterOp>();
  Operation *last = nullptr;
  for (const Access &access : accessesOf(launch->getParentOfType<EntryOp>().getBody().front()))
    if (auto of = dyn_cast_or_null<ParameterOp>(access.base);
        access.writes && of && parameter && of.getName() == parameter.getName())
      last = access.op;
  return last;
}

std::optional<Breach> breach(LaunchOp leader, InStep step, const kernel::DimTable &dims) {
  auto found = [&](const char *why) {
    return Breach{step.launch,
                  "goes behind @" + leader.getKernel().str() + " task by task, but " + why};
  };
  kernel::FusedOp writer = fusedOf(leader), pack = fusedOf(step.launch);
  std::optional<cpu::PackedInOrder> form = cpu::packedInOrder({pack, dims});
  if (!form || step.launch.getBuffers().size() != 2)
    return found("packs nothing in the order in which it lies");
  std::optional<Piece> from = pieceOf(step.launch.getBuffers()[0], step.loop),
                       to = pieceOf(step.launch.getBuffers()[1], step.loop);
  if (!from || !to || !to->base.getDefiningOp<PackedOp>())
    return found("its buffers are no pieces of memory that passes have in turn");
  unsigned first = writer.getNumOperands(), result = 0;
  while (result < writer.getNumResults() && leader.getBuffers()[first + result] != from->base)
    ++result;
  if (result == writer.getNumResults())
    return found("reads what that does not write");
  std::optional<int64_t> passes =
      step.loop ? dims.known(step.loop.getDim().getValue()) : std::optional<int64_t>(1);
  int64_t bytes = form->total() * int64_t(sizeof(float));
  if (!passes || bytesOfPass(*from) != (step.loop ? bytes : 0) ||
      bytesOfPass(*to) != (step.loop ? form->bytes() : 0))
    return found("passes do not have what lies side by side");
  if (lastWriterOf(leader, from->base) != leader)
    return found("the parameter is written again later");
  if (!writer.getScheduleAttr() || !pack.getScheduleAttr())
    return found("there are no schedules that say which tasks these are");
  for (const cpu::Machine &machine : cpu::scheduledMachines()) {
    auto rows = writer.getScheduleAttr().getAs<cpu::RowsAttr>(machine.name);
    auto panels = pack.getScheduleAttr().getAs<cpu::PackAttr>(machine.name);
    std::optional<cpu::Stretches> written, read;
    if (rows && panels) {
      written = cpu::stretchesOf({writer, dims}, rows, machine, result);
      read = readBy(*form, panels);
    }
    if (!written || !read || written->each != read->each ||
        written->total != *passes * read->total || (*passes > 1 && read->total % read->each != 0) ||
        (read->tasks() > 1 && read->each % form->unit() != 0))
      return found("its tasks read other elements than those write");
  }
  return std::nullopt;
}
} // namespace

std::optional<Breach> plan::outOfStep(ModuleOp module) {
  auto dims = kernel::DimTable::of(module);
  std::optional<Breach> found;
  llvm::SmallPtrSet<Operation *, 16> known;
  module.walk([&](LaunchOp launch) {
    if (launch.getInStep() && !known.contains(launch))
      found = {launch, "goes behind a launch task by task, and follows none"};
    else if (!launch.getInStep())
      for (InStep step : inStepBehind(launch)) {
        known.insert(step.launch);
        if (!found)
          found = breach(launch, step, dims);
      }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
