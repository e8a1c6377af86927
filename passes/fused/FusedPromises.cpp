// What holds after the `fused` stage.
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/Places.h"
#include "passes/Promises.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"

using namespace mlir;
using namespace weft;

using kernel::Family;
using kernel::FusedOp;

/// Ops that need no kernel: they say where something lies, what comes in, goes round and leaves.
static bool needsNoKernel(Operation *op) {
  return isFree(op) || isView(op) || op->hasTrait<model::Structural>();
}

std::optional<Breach> weft::notInOneKernel(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    auto kernel = op->getParentOfType<FusedOp>();
    if (isa<FusedOp>(op) && kernel)
      found = {op, "stands inside of the kernel \"" + kernel.getLabel().str() + "\""};
    else if (!isa<model::ModelDialect>(op->getDialect()))
      return WalkResult::advance();
    else if (!kernel && !needsNoKernel(op))
      found = {op, "stands outside of every kernel"};
    else if (kernel && op->hasTrait<model::Structural>())
      found = {op, "stands in the kernel \"" + kernel.getLabel().str() + "\""};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

namespace {
std::optional<Breach> wrongFamily(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](FusedOp kernel) {
    Family family = kernel.getFamily();
    bool named = family == Family::contraction || family == Family::attention ||
                 family == Family::attention_grad || family == Family::scatter;
    unsigned count = 0;
    for (Operation &op : kernel.getBody().front()) {
      std::optional<Family> wanted = familyFor(&op);
      if (wanted && *wanted != family)
        found = {&op, "is computed by a kernel of the family " + stringifyFamily(family).str()};
      count += wanted == family;
    }
    std::string what = stringifyFamily(family).str();
    if (!found && named && count == 0)
      found = {kernel, "has nothing of its family, " + what};
    if (!found && named && family != Family::contraction && count > 1)
      found = {kernel, "has more than one " + what};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> noContraction(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](FusedOp kernel) {
    std::string why;
    if (kernel.getFamily() == Family::contraction && failed(kernel::readContraction(kernel, &why)))
      found = {kernel, "is no contraction: " + why};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Whether the kernel stores what `scatter` gives, or the sum of that and one other value, which is
/// not made of it.
bool isStoredOrAdded(model::ScatterOp scatter) {
  Operation *at = scatter;
  for (unsigned sums = 0; at->hasOneUse();) {
    at = *at->getUsers().begin();
    if (isa<kernel::YieldOp>(at))
      return at->getNumOperands() == 1;
    sums += isa<model::AddOp>(at);
    if (sums > 1 || !isa<model::AddOp, model::ArrangeOp>(at))
      return false;
  }
  return false;
}

std::optional<Breach> scatterInside(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](model::ScatterOp scatter) {
    if (isStoredOrAdded(scatter))
      return WalkResult::advance();
    found = {scatter, "is neither what its kernel stores nor added once to another value"};
    return WalkResult::interrupt();
  });
  return found;
}

std::optional<Breach> leftGroup(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    if (!Groups::of(op))
      return WalkResult::advance();
    found = {op, "still has the number of a group"};
    return WalkResult::interrupt();
  });
  return found;
}

constexpr Promise promises[] = {
    {"one-kernel",
     "every operation that computes is in exactly one kernel; outside are views, constants, "
     "positions, and reads and assignments of parameters",
     "weft-form-kernels", notInOneKernel},
    {"family", "a kernel's family fits the operations in it", "weft-form-kernels", wrongFamily},
    {"contractions",
     "the matrix products of a kernel have the same rows and batch; those that one result is "
     "computed from have the same columns too",
     "weft-form-kernels", noContraction},
    {"scatters",
     "a kernel of a scatter stores that, or its sum with one value that is not made of it",
     "weft-form-kernels", scatterInside},
    {"no-groups", "no operation is still marked with the group it was fused into",
     "weft-form-kernels", leftGroup},
};
} // namespace

llvm::ArrayRef<Promise> weft::fusedPromises() {
  return promises;
}
