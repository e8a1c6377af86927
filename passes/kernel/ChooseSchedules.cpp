// Every kernel gets a schedule (its tiles and tasks) for each instruction set, or for each image.
#include "ir/cpu/tuning/TunedSchedules.h"
#include "ir/cuda/Schedules.h"
#include "passes/Passes.h"

#include "llvm/Support/MemoryBuffer.h"

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
    std::optional<cpu::TunedSchedules> found;
    if (!tuned.empty() && failed(readTuned(found)))
      return signalPassFailure();
    auto dims = kernel::DimTable::of(getOperation());
    WalkResult result = getOperation()->walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr()) // the promise `layouts` says so
        return WalkResult::advance();
      if (machines == "cuda")
        return choose(op, cuda::devices(), [&](const cuda::Device &device) {
          return cuda::scheduleOf({op, dims}, device);
        });
      if (found)
        takeTuned({op, dims}, *found);
      return choose(op, cpu::scheduledMachines(), [&](const cpu::Machine &machine) {
        return cpu::scheduleOf({op, dims}, cpu::machineFor(machine.isa, op));
      });
    });
    if (found)
      warn(*found);
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult readTuned(std::optional<cpu::TunedSchedules> &found) {
    if (machines != "cpu")
      return getOperation()->emitError("tuned schedules are for `cpu`, not for `")
             << machines << "`";
    auto file = llvm::MemoryBuffer::getFile(tuned, /*IsText=*/true);
    if (!file)
      return getOperation()->emitError("cannot read the tunings ")
             << tuned << ": " << file.getError().message();
    found.emplace((*file)->getBuffer(), tunedOn);
    return success();
  }

  /// What was found of a kernel, where it says no schedule of its own.
  static void takeTuned(cpu::KernelCase kernel, cpu::TunedSchedules &found) {
    NamedAttrList schedules(kernel.op.getScheduleAttr());
    SmallVector<StringRef> sets;
    for (const cpu::Machine &machine : cpu::scheduledMachines()) {
      if (schedules.get(machine.name))
        continue;
      if (auto schedule = found.of(kernel, cpu::machineFor(machine.isa, kernel.op))) {
        schedules.set(machine.name, schedule);
        sets.push_back(machine.name);
      }
    }
    if (sets.empty())
      return;
    kernel.op.setScheduleAttr(schedules.getDictionary(kernel.op.getContext()));
    kernel.op->setAttr(cpu::tunedAttr, Builder(kernel.op.getContext()).getStrArrayAttr(sets));
  }

  void warn(cpu::TunedSchedules &found) {
    for (const cpu::TuningProblem &problem : found.takeProblems())
      emitWarning(FileLineColLoc::get(&getContext(), tuned, problem.line, 1))
          << "this tuning is not used: " << problem.why;
  }

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
