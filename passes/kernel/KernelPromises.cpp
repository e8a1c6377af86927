// What holds after the `kernel` stage.
#include "ir/cpu/Schedules.h"
#include "ir/cuda/Schedules.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/ScoredTwice.h"
#include "ir/model/Entries.h"
#include "passes/Promises.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace weft;

namespace {
using kernel::FusedOp;
using kernel::LayoutAttr;
using kernel::PanelsAttr;

/// The first breach that `check` finds in a kernel.
template <typename Check> std::optional<Breach> anyKernel(ModuleOp module, Check check) {
  std::optional<Breach> found;
  module.walk([&](FusedOp op) {
    found = check(op);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> missingLayout(ModuleOp module) {
  return anyKernel(module, [](FusedOp op) -> std::optional<Breach> {
    if (!op.getLayouts())
      return Breach{op, "\"" + op.getLabel().str() + "\" has no layouts"};
    return std::nullopt;
  });
}

/// A layout of a kernel must be the one of the value's place in memory, through the views between
/// it and its root; panels must be those of the pack.
std::optional<Breach> otherPlace(ModuleOp module) {
  Places places(module);
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    if (!op.getLayouts())
      return std::nullopt;
    SmallVector<Value> values(op.getInputs());
    values.append(op.getResults().begin(), op.getResults().end());
    for (auto [value, given] : llvm::zip(values, *op.getLayouts())) {
      auto maker = value.getDefiningOp<FusedOp>();
      Attribute panels = maker ? maker->getAttr("panels") : Attribute();
      Attribute where = kernel::withStorage(given, {});
      if (panels && panels == where)
        continue;
      std::optional<Place> place = panels ? std::nullopt : places.of(value);
      if (!place || place->layout != where)
        return Breach{op, "\"" + op.getLabel().str() + "\" takes a value for " +
                              mlir::debugString(given) + " that lies as " +
                              (place ? mlir::debugString(place->layout) : "panels or nowhere")};
    }
    return std::nullopt;
  });
}

/// A pitch is for what kernels alone know of, by their layouts: what leaves a block, is carried or
/// cut by a loop, or lies in a cache is dense.
std::optional<Breach> paddedOutside(ModuleOp module) {
  model::Dims dims(module);
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    for (OpResult result : op->getResults()) {
      int64_t pitch = pitchOf(result);
      if (pitch == 0)
        continue;
      auto breach = [&](const char *what) {
        return Breach{op, "\"" + op.getLabel().str() + "\" has rows " + std::to_string(pitch) +
                              " apart " + what};
      };
      ArrayRef<model::DimAttr> all = model::typeOf(result).getDims();
      std::optional<int64_t> length = all.empty() ? std::nullopt : dims.fixed(all.back());
      if (!length || *length > pitch || all.size() < 2)
        return breach("that have no such length");
      SmallVector<Value> views{result};
      while (!views.empty())
        for (Operation *user : views.pop_back_val().getUsers()) {
          if (isView(user) && !isa<model::InsertPartOp>(user))
            views.push_back(user->getResult(0));
          else if (!isa<FusedOp>(user))
            return breach("where not only kernels read them");
        }
    }
    return std::nullopt;
  });
}

std::string said(Type storage) {
  return storage ? mlir::debugString(storage) : "its type says";
}

/// What kernels have for the storage of a value must be that of the memory it lies in.
std::optional<Breach> otherStorage(ModuleOp module) {
  Places places(module);
  std::optional<SharedStorage> known; // once there is a kernel, and so its dialect
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    if (!op.getLayouts())
      return std::nullopt;
    SharedStorage &shared = known ? *known : known.emplace(module, places);
    SmallVector<Value> values(op.getInputs());
    values.append(op.getResults().begin(), op.getResults().end());
    for (auto [value, given] : llvm::zip(values, *op.getLayouts())) {
      std::optional<Place> place = places.of(value);
      if (!place)
        continue; // another promise
      Type storage = kernel::storageIn(given);
      if (storage && shared.isOutside(place->root))
        return Breach{op, "\"" + op.getLabel().str() + "\" has a value as " + said(storage) +
                              " that is seen from outside"};
      if (storage != shared.of(place->root))
        return Breach{op, "\"" + op.getLabel().str() + "\" has a value as " + said(storage) +
                              " that is stored as " + said(shared.of(place->root))};
    }
    return std::nullopt;
  });
}

/// Weights of an attention's gradient are e^(score - logsumexp): no softmax, if the scores are not
/// those of which that was taken.
std::optional<Breach> scoredOtherwise(ModuleOp module) {
  bool attends = false;
  module.walk([&](FusedOp op) { attends |= op.getFamily() == kernel::Family::attention_grad; });
  if (!attends || missingLayout(module)) // which is another promise
    return std::nullopt;
  Places places(module);
  SharedStorage shared(module, places);
  for (kernel::ScoredTwice &scores : kernel::scoredTwice(module, places, shared))
    if (std::optional<unsigned> other = kernel::storedOtherwise(scores))
      return Breach{scores.gradient, "\"" + scores.gradient.getLabel().str() +
                                         "\" scores by operand " + std::to_string(*other) +
                                         ", which is stored otherwise than what \"" +
                                         scores.attention.getLabel().str() + "\" scored by"};
  return std::nullopt;
}

/// What a program says that products round must be what its precision, and memory, say too: else
/// one side is rounded and the other is not.
std::optional<Breach> roundedAlone(ModuleOp module) {
  bool tf32 = model::precisionOf(module) == model::Precision::tf32;
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    auto says = [](auto attention) { return attention.getNarrowWeights(); };
    Block &body = op.getBody().front();
    bool weights = llvm::any_of(body.getOps<model::AttentionOp>(), says) ||
                   llvm::any_of(body.getOps<model::AttentionGradOp>(), says);
    if (weights && (!op.getLayouts() || !kernel::multipliesNarrow(op)))
      return Breach{op, "\"" + op.getLabel().str() +
                            "\" rounds weights, and not what it multiplies them by"};
    for (auto product : body.getOps<model::ContractOp>())
      if (product.getTf32() && !tf32)
        return Breach{product, "reads its sides as tf32 in a program that is not said to"};
    return std::nullopt;
  });
}

/// Weights that share scales are copies of parameters, where no gradient is found of them: an
/// update would be one of other weights, and an activation would be rounded where nobody asked for
/// it.
std::optional<Breach> roundedElsewhere(ModuleOp module) {
  Places places(module);
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    if (op.getFamily() != kernel::Family::pack || !op.getLayouts() ||
        !kernel::weightFormatOf(op.getLayoutsAttr()[op.getNumOperands()]))
      return std::nullopt;
    std::optional<model::EntryKind> kind = model::kindOf(op->getParentOfType<func::FuncOp>());
    std::optional<Place> place = places.of(op.getInputs()[0]);
    if (kind == model::EntryKind::gradient || kind == model::EntryKind::update)
      return Breach{op, "\"" + op.getLabel().str() + "\" rounds weights that a gradient is of"};
    if (!place || !place->root.getDefiningOp<model::ParamOp>())
      return Breach{op, "\"" + op.getLabel().str() + "\" rounds what is no parameter"};
    return std::nullopt;
  });
}

std::optional<Breach> unpacked(ModuleOp module) {
  return anyKernel(module, [](FusedOp op) -> std::optional<Breach> {
    for (auto contract : op.getBody().front().getOps<model::ContractOp>()) {
      unsigned panels = llvm::count_if(contract->getOperands(), [&](Value side) {
        auto argument = dyn_cast<BlockArgument>(side);
        auto pack =
            argument ? op.getInputs()[argument.getArgNumber()].getDefiningOp<FusedOp>() : FusedOp();
        return (pack && pack.getFamily() == kernel::Family::pack) ||
               (argument && kernel::packedWithin(op, argument.getArgNumber()));
      });
      if (panels != 1)
        return Breach{contract, "has " + std::to_string(panels) + " packed sides"};
    }
    return std::nullopt;
  });
}

std::optional<Breach> notComputedHere(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    if (!isBlockExit(op))
      return WalkResult::advance();
    for (Value value : op->getOperands()) {
      Operation *def = value.getDefiningOp();
      bool computed = def && def->getBlock() == op->getBlock() && isa<FusedOp>(def);
      bool looped = isa_and_nonnull<model::RepeatOp>(def) && isa<func::ReturnOp>(op);
      if (!computed && !looped && !isCache(value))
        found = {op, "lets a value leave that no kernel of its block has written"};
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// A module is for CPUs or for GPUs, as the schedules say that it has.
std::optional<Breach> unscheduled(ModuleOp module) {
  bool forDevices = false;
  module.walk([&](FusedOp op) {
    for (NamedAttribute each : op.getScheduleAttr() ? op.getScheduleAttr() : DictionaryAttr())
      forDevices |= isa<cuda::CudaDialect>(each.getValue().getDialect());
  });
  SmallVector<llvm::StringRef> names;
  if (forDevices)
    llvm::append_range(names,
                       llvm::map_range(cuda::devices(), [](auto &each) { return each.name; }));
  else
    llvm::append_range(
        names, llvm::map_range(cpu::scheduledMachines(), [](auto &each) { return each.name; }));
  return anyKernel(module, [&](FusedOp op) -> std::optional<Breach> {
    DictionaryAttr schedules = op.getScheduleAttr();
    for (llvm::StringRef name : names)
      if (!schedules || !schedules.getAs<kernel::ScheduleAttr>(name))
        return Breach{op, "\"" + op.getLabel().str() + "\" has no schedule for " + name.str()};
    return std::nullopt;
  });
}

constexpr Promise promises[] = {
    {"one-kernel", "still holds, as the stage `fused` promises it", "", notInOneKernel},
    {"layouts", "every kernel has a layout for each of its operands and results",
     "weft-choose-layouts", missingLayout},
    {"places",
     "the layout that a kernel has for a value is that of the value's memory, through its views",
     "weft-choose-layouts", otherPlace},
    {"padded", "rows that are further apart than they are long are read by kernels alone",
     "weft-choose-layouts", paddedOutside},
    {"storage", "kernels agree on how the values that share a memory are stored",
     "weft-choose-storage", otherStorage},
    {"rounded",
     "where products round what lies in no memory, what they multiply it by is stored as bf16; "
     "only "
     "a program of tf32 has products that read tf32",
     "weft-narrow-operands", roundedAlone},
    {"scores",
     "what an attention scores by is stored as what its gradient, which reads the logsumexp, "
     "scores by",
     "weft-narrow-operands", scoredOtherwise},
    {"weights",
     "weights that are whole numbers are those of parameters, in entries that find no gradient",
     "weft-round-weights", roundedElsewhere},
    {"packed", "every matrix product has one packed operand", "weft-pack-operands", unpacked},
    {"leaves", "a value that leaves a block is the result of a kernel or a loop in it",
     "weft-materialize-copies", notComputedHere},
    {"schedules", "every kernel has a schedule for each instruction set, or for each image",
     "weft-choose-schedules", unscheduled},
};
} // namespace

llvm::ArrayRef<Promise> weft::kernelPromises() {
  return promises;
}
