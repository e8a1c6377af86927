// Every kernel gets a schedule (its tiles and tasks) for each instruction set.
#include "ir/cpu/Schedules.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CHOOSESCHEDULES
#include "passes/Passes.h.inc"

namespace {
struct ChooseSchedules : impl::ChooseSchedulesBase<ChooseSchedules> {
  using ChooseSchedulesBase::ChooseSchedulesBase;

  void runOnOperation() override {
    if (cores > 0)
      getOperation()->setAttr(cpu::coresAttr,
                              IntegerAttr::get(IntegerType::get(&getContext(), 64), cores));
    auto dims = kernel::DimTable::of(getOperation());
    WalkResult result = getOperation()->walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr()) // the promise `layouts` says so
        return WalkResult::advance();
      NamedAttrList schedules(op.getScheduleAttr());
      for (const cpu::Machine &each : cpu::machines()) {
        cpu::Machine machine = cpu::machineFor(each.isa, getOperation());
        FailureOr<kernel::ScheduleAttr> schedule = cpu::scheduleOf({op, dims}, machine);
        if (failed(schedule))
          return WalkResult::interrupt();
        schedules.set(machine.name, *schedule);
      }
      op.setScheduleAttr(schedules.getDictionary(op.getContext()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
} // namespace weft
