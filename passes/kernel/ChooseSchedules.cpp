// Every kernel gets a schedule (its tiles and tasks) for each instruction set, or for each image.
#include "ir/cpu/Schedules.h"
#include "ir/cuda/Schedules.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CHOOSESCHEDULES
#include "passes/Passes.h.inc"

namespace {
struct ChooseSchedules : impl::ChooseSchedulesBase<ChooseSchedules> {
  using ChooseSchedulesBase::ChooseSchedulesBase;

  void runOnOperation() override {
    if (machines != "cpu" && machines != "cuda") {
      getOperation()->emitError("there are no schedules for `")
          << machines << "`; there are for `cpu` and `cuda`";
      return signalPassFailure();
    }
    if (cores > 0)
      getOperation()->setAttr(cpu::coresAttr,
                              IntegerAttr::get(IntegerType::get(&getContext(), 64), cores));
    auto dims = kernel::DimTable::of(getOperation());
    WalkResult result = getOperation()->walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr()) // the promise `layouts` says so
        return WalkResult::advance();
      if (machines == "cuda")
        return choose(op, cuda::devices(), [&](const cuda::Device &device) {
          return cuda::scheduleOf({op, dims}, device);
        });
      return choose(op, cpu::scheduledMachines(), [&](const cpu::Machine &machine) {
        return cpu::scheduleOf({op, dims}, cpu::machineFor(machine.isa, op));
      });
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// What `scheduleOf` gives for each of `all`, under its name.
  template <typename Machines, typename ScheduleOf>
  static WalkResult choose(kernel::FusedOp op, Machines all, ScheduleOf scheduleOf) {
    NamedAttrList schedules(op.getScheduleAttr());
    for (const auto &machine : all) {
      FailureOr<kernel::ScheduleAttr> schedule = scheduleOf(machine);
      if (failed(schedule))
        return WalkResult::interrupt();
      schedules.set(machine.name, *schedule);
    }
    op.setScheduleAttr(schedules.getDictionary(op.getContext()));
    return WalkResult::advance();
  }
};
} // namespace
} // namespace weft
