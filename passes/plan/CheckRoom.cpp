// The bytes that launches access, against the bytes of buffers and slots. Sizes are formulas, so
// they are compared at several sizes of what comes with the data.
#include "ir/plan/Accesses.h"
#include "passes/plan/PlanPromises.h"
#include "passes/plan/Sample.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// The bytes of what a buffer lies in; nothing where the plan does not say (inputs, outputs,
/// parameters).
std::optional<int64_t> roomOf(Value buffer, Sample &sample) {
  Operation *place = baseOf(buffer);
  auto entry = place->getParentOfType<EntryOp>();
  if (auto slot = dyn_cast<SlotOp>(place))
    return sample.at(slot.getBytes().getValue());
  if (auto packed = dyn_cast<PackedOp>(place))
    return sample.at(cast<model::SizeAttr>(entry.getPacked()[packed.getNumber()]).getValue());
  return std::nullopt;
}

std::optional<Breach> launchTooFar(LaunchOp launch, Sample sample) {
  kernel::FusedOp fused = fusedOf(launch);
  if (!fused.getLayouts())
    return std::nullopt; // another promise
  SmallVector<Type> types(fused.getOperandTypes());
  types.append(fused.getResultTypes().begin(), fused.getResultTypes().end());
  for (auto [buffer, layout, type] : llvm::zip(launch.getBuffers(), *fused.getLayouts(), types)) {
    std::optional<int64_t> room = roomOf(buffer, sample);
    int64_t end = sample.offset(buffer) + sample.reach(layout, cast<model::NamedTensorType>(type));
    if (room && sample.isExact() && end > *room)
      return Breach{launch, "reaches byte " + std::to_string(end) + " of a buffer of " +
                                std::to_string(*room)};
  }
  return std::nullopt;
}

std::optional<Breach> copyTooFar(CopyOp copy, Sample sample) {
  for (Value buffer : {copy.getFrom(), copy.getTo()}) {
    int64_t end = sample.offset(buffer) + sample.at(copy.getBytes().getValue());
    std::optional<int64_t> room = roomOf(buffer, sample);
    if (room && sample.isExact() && end > *room)
      return Breach{copy, "reaches byte " + std::to_string(end) + " of a buffer of " +
                              std::to_string(*room)};
  }
  return std::nullopt;
}

std::optional<Breach> slotTooSmall(SlotOp slot, Sample sample) {
  auto slots = slot->getParentOfType<EntryOp>().getSlots();
  int64_t room = sample.largest(cast<ArrayAttr>(slots[slot.getNumber()]));
  int64_t bytes = sample.at(slot.getBytes().getValue());
  if (!sample.isExact() || bytes <= room)
    return std::nullopt;
  return Breach{slot, "is a buffer of " + std::to_string(bytes) + " bytes in a slot of " +
                          std::to_string(room)};
}
} // namespace

std::optional<Breach> plan::tooSmall(ModuleOp module) {
  model::Dims dims(module);
  std::optional<Breach> found;
  for (int64_t size : sampleSizes) {
    Sample sample(dims, size);
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto entry = dyn_cast<EntryOp>(op); entry && !sample.suits(entry))
        return WalkResult::skip();
      if (auto launch = dyn_cast<LaunchOp>(op))
        found = launchTooFar(launch, sample);
      else if (auto copy = dyn_cast<CopyOp>(op))
        found = copyTooFar(copy, sample);
      else if (auto slot = dyn_cast<SlotOp>(op))
        found = slotTooSmall(slot, sample);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found)
      continue;
    found->what += " where " + sample.str();
    break;
  }
  return found;
}
