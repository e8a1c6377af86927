// What launches reach, against what buffers and slots hold. Sizes are formulas, so they are
// compared at several sizes of what comes with the data.
#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"
#include "ir/plan/Plan.h"
#include "passes/plan/PlanPromises.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
constexpr int64_t sampleSizes[] = {1, 3, 48, 720};

/// Bytes at one size of every dimension that comes with the data.
class Sample {
public:
  Sample(const model::Dims &dims, int64_t size) : dims(dims), size(size) {}

  /// Whether every division was exact, so that the numbers mean something.
  bool isExact() const { return exact; }

  int64_t at(const Size &formula) {
    std::optional<int64_t> value =
        dims.resolve(formula).evaluate([&](const std::string &) { return size; });
    exact &= value.has_value();
    return value.value_or(0);
  }

  int64_t largest(ArrayAttr sizes) {
    int64_t most = 0;
    for (auto each : sizes.getAsRange<model::SizeAttr>())
      most = std::max(most, at(each.getValue()));
    return most;
  }

  /// The end of what a kernel touches of a tensor that lies as `layout` says.
  int64_t reach(Attribute layout, model::NamedTensorType type) {
    int64_t elements = 1;
    if (auto panels = dyn_cast<kernel::PanelsAttr>(layout)) {
      int64_t width = panels.getWidth(), columns = at(dims.size(panels.getColumns()));
      elements = at(dims.size(panels.getBatch())) * at(dims.size(panels.getRows())) *
                 ((columns + width - 1) / width * width);
    } else if (auto strided = dyn_cast<kernel::LayoutAttr>(layout)) {
      for (StringAttr dim : type.getDims())
        if (std::optional<Size> stride = strided.stride(dim))
          elements += at(*stride) * (at(dims.size(dim)) - 1);
    }
    return elements * model::elementBytes(type);
  }

  /// How far into its place a buffer begins, in the last pass of the loops.
  int64_t offset(Value &buffer) {
    int64_t bytes = 0;
    while (isa_and_nonnull<OffsetOp, ReuseOp>(buffer.getDefiningOp())) {
      Operation *op = buffer.getDefiningOp();
      buffer = op->getOperand(0);
      auto step = dyn_cast<OffsetOp>(op);
      if (!step)
        continue;
      int64_t times = 1;
      if (Value pass = step.getPass())
        times = at(dims.size(cast<LoopOp>(pass.getParentBlock()->getParentOp()).getDimAttr())) - 1;
      bytes += at(step.getBytes().getValue()) * times;
    }
    return bytes;
  }

private:
  const model::Dims &dims;
  int64_t size;
  bool exact = true;
};

/// What a place has room for; nothing where that is not the plan's to say.
std::optional<int64_t> roomIn(Value place, Sample &sample) {
  auto entry = place.getDefiningOp()->getParentOfType<EntryOp>();
  if (auto slot = place.getDefiningOp<SlotOp>())
    return sample.at(slot.getBytes().getValue());
  if (auto packed = place.getDefiningOp<PackedOp>())
    return sample.at(cast<model::SizeAttr>(entry.getPacked()[packed.getNumber()]).getValue());
  return std::nullopt;
}

std::optional<Breach> launchTooFar(LaunchOp launch, Sample sample) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr());
  auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
  if (!fused.getLayouts())
    return std::nullopt; // another promise
  SmallVector<Type> types(fused.getOperandTypes());
  types.append(fused.getResultTypes().begin(), fused.getResultTypes().end());
  for (auto [buffer, layout, type] : llvm::zip(launch.getBuffers(), *fused.getLayouts(), types)) {
    Value place = buffer;
    int64_t begin = sample.offset(place);
    std::optional<int64_t> room = roomIn(place, sample);
    int64_t end = begin + sample.reach(layout, cast<model::NamedTensorType>(type));
    if (room && sample.isExact() && end > *room)
      return Breach{launch, "reaches byte " + std::to_string(end) + " of a buffer of " +
                                std::to_string(*room)};
  }
  return std::nullopt;
}

std::optional<Breach> copyTooFar(CopyOp copy, Sample sample) {
  for (Value place : {copy.getFrom(), copy.getTo()}) {
    int64_t end = sample.offset(place) + sample.at(copy.getBytes().getValue());
    std::optional<int64_t> room = roomIn(place, sample);
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
    module.walk([&](Operation *op) {
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
    found->what += " where every size that comes with the data is " + std::to_string(size);
    break;
  }
  return found;
}
