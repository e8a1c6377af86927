// Schedules that nobody would choose.
#include "tools/reduce/compiled/DrawnSchedules.h"

#include "ir/cpu/Schedules.h"

#include <random>

using namespace mlir;

namespace weft::reduce {

LogicalResult drawSchedules(ModuleOp module, uint64_t seed) {
  auto dims = kernel::DimTable::of(module);
  std::mt19937_64 numbers(seed);
  WalkResult result = module.walk([&](kernel::FusedOp op) {
    if (!op.getLayoutsAttr())
      return WalkResult::advance();
    NamedAttrList schedules(op.getScheduleAttr());
    for (const cpu::Machine &machine : cpu::scheduledMachines()) {
      auto legal = cpu::legalSchedules({op, dims}, cpu::machineFor(machine.isa, op));
      if (failed(legal))
        return WalkResult::interrupt();
      kernel::ScheduleAttr drawn = (*legal)[numbers() % legal->size()];
      if (failed(cpu::checkSchedule(op, drawn, machine))) // what is legal must be
        return WalkResult::interrupt();
      schedules.set(machine.name, drawn);
    }
    op.setScheduleAttr(schedules.getDictionary(op.getContext()));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace weft::reduce
