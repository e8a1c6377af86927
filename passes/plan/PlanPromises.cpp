// What holds after the `plan` stage.
#include "passes/plan/PlanPromises.h"

#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"

using namespace mlir;
using namespace weft;

namespace {

std::optional<Breach> notPlanned(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (!op.hasTrait<model::Structural>() && !isa<plan::KernelOp, plan::EntryOp>(op))
      return Breach{&op, "is neither an entry nor a kernel"};
    auto kernel = dyn_cast<plan::KernelOp>(op);
    if (kernel && !cast<kernel::FusedOp>(kernel.getBody().front().front()).getLayouts())
      return Breach{&op, "`" + kernel.getSymName().str() + "` has no layouts"};
  }
  return std::nullopt;
}

std::optional<Breach> notIntact(ModuleOp module) {
  std::optional<Breach> found = plan::overlapping(module);
  return found ? found : plan::readTooLate(module);
}

constexpr Promise promises[] = {
    {"planned", "a program is dimensions, parameters, entries, and kernels that have layouts",
     "weft-build-plan", notPlanned},
    {"room",
     "no kernel accesses memory behind the end of a buffer, and no buffer ends behind its slot",
     "weft-build-plan", plan::tooSmall},
    {"storage", "launches and copies agree on how a buffer is stored", "weft-build-plan",
     plan::storedInTwoWays},
    {"apart", "buffers of one slot, or of slots that may overlap, are never live at the same time",
     "weft-build-plan", plan::needTheSameSlot},
    {"intact",
     "no value is overwritten before its last use: by a launch (but in place, where the kernel "
     "allows it), across the iterations of a loop, or before it leaves an entry",
     "weft-build-plan", notIntact},
    {"together",
     "launches that are one follow each other, and none of them writes what another one reads or "
     "writes",
     "weft-build-plan", plan::notApart},
    {"in-step",
     "a launch in step reads, task by task, what the tasks of the launch before it have written",
     "weft-pack-in-step", plan::outOfStep},
    {"order",
     "a launch comes after the launches that write what it reads, and reads parameters before they "
     "are assigned; every output is written",
     "weft-build-plan", plan::outOfOrder},
};
} // namespace

llvm::ArrayRef<Promise> weft::planPromises() {
  return promises;
}
