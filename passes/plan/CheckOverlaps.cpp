// No launch writes over what it still reads: how its buffers overlap, against what its kernel
// allows; and none writes what another one needs that runs at the same time. From the plan alone:
// a check that is independent of Homes, which made it.
#include "ir/kernel/InPlace.h"
#include "ir/plan/Accesses.h"
#include "ir/plan/Arena.h"
#include "passes/plan/PlanPromises.h"
#include "passes/plan/Sample.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {

/// Where a buffer begins, and how many bytes are accessed from there on.
struct Stretch {
  std::string memory; ///< equal for what may share bytes, or a slot
  SlotOp slot;
  SmallVector<std::pair<Value, Size>, 2> steps; ///< passes, and the bytes for each
  Size offset;
  std::function<int64_t(Sample &)> bytes;
};

std::string memoryOf(Operation *place) {
  auto numbered = [](const char *what, int64_t number) { return what + std::to_string(number); };
  if (auto slot = dyn_cast<SlotOp>(place))
    return numbered("slot ", slot.getNumber());
  if (auto input = dyn_cast<InputOp>(place))
    return numbered("input ", input.getNumber());
  if (auto output = dyn_cast<OutputOp>(place))
    return numbered("output ", output.getNumber());
  if (auto packed = dyn_cast<PackedOp>(place))
    return numbered("packed ", packed.getNumber());
  return "parameter " + cast<ParameterOp>(place).getName().str();
}

Stretch stretchOf(Value buffer, std::function<int64_t(Sample &)> bytes) {
  Stretch stretch{{}, {}, {}, {}, std::move(bytes)};
  Operation *place = baseOf(buffer, [&](OffsetOp step) {
    if (step.getPass())
      stretch.steps.push_back({step.getPass(), step.getBytes().getValue()});
    else
      stretch.offset = stretch.offset + step.getBytes().getValue();
  });
  if (place)
    stretch.memory = memoryOf(place), stretch.slot = dyn_cast<SlotOp>(place);
  return stretch;
}

enum class Relation { apart, same, overlapping };

class Overlaps {
public:
  explicit Overlaps(ModuleOp module) : dims(module) {}

  std::optional<Breach> in(LaunchOp launch) {
    kernel::FusedOp fused = fusedOf(launch);
    if (!fused.getLayouts())
      return std::nullopt; // another promise
    std::vector<Stretch> stretches = stretchesOf(launch);
    unsigned reads = fused.getNumOperands();
    for (unsigned result = 0; result < fused.getNumResults(); ++result)
      for (unsigned other = 0; other < reads + result; ++other) {
        Relation found = between(stretches[reads + result], stretches[other]);
        bool isAllowed = other < reads && found == Relation::same &&
                         kernel::mayWriteInPlace(fused, result, other);
        if (found == Relation::apart || isAllowed)
          continue;
        bool isResult = other >= reads;
        return Breach{launch, "writes result " + std::to_string(result) + " of @" +
                                  launch.getKernel().str() + " over its " +
                                  (isResult ? "result " : "operand ") +
                                  std::to_string(isResult ? other - reads : other) + " in " +
                                  stretches[other].memory + ", which the kernel does not allow"};
      }
    return std::nullopt;
  }

  /// Of launches that are one.
  std::optional<Breach> among(ArrayRef<LaunchOp> together) {
    struct Written {
      LaunchOp by;
      Stretch stretch;
    };
    std::map<std::string, std::vector<Written>> written; // by memory: slots may be one
    auto memoryOf = [](const Stretch &stretch) {
      return stretch.slot ? std::string("slots") : stretch.memory;
    };
    for (LaunchOp launch : together) {
      std::vector<Stretch> all = stretchesOf(launch);
      for (const Stretch &stretch : llvm::drop_begin(all, fusedOf(launch).getNumOperands()))
        written[memoryOf(stretch)].push_back({launch, stretch});
    }
    for (LaunchOp launch : together)
      for (const Stretch &stretch : stretchesOf(launch))
        for (const Written &other : written[memoryOf(stretch)])
          if (other.by != launch && between(stretch, other.stretch) != Relation::apart)
            return Breach{launch, "is launched together with @" +
                                      LaunchOp(other.by).getKernel().str() +
                                      ", which writes what it needs in " + stretch.memory};
    return std::nullopt;
  }

  std::optional<Breach> in(CopyOp copy) {
    auto bytes = [&](Sample &sample) { return sample.at(copy.getBytes().getValue()); };
    Stretch from = stretchOf(copy.getFrom(), bytes), to = stretchOf(copy.getTo(), bytes);
    if (between(from, to) == Relation::apart)
      return std::nullopt;
    return Breach{copy, "copies from " + from.memory + " to bytes that overlap with it"};
  }

private:
  /// Of what it reads, then of what it writes.
  static std::vector<Stretch> stretchesOf(LaunchOp launch) {
    kernel::FusedOp fused = fusedOf(launch);
    SmallVector<Type> types(fused.getOperandTypes());
    llvm::append_range(types, fused.getResultTypes());
    std::vector<Stretch> stretches;
    for (auto [buffer, layout, type] : llvm::zip(launch.getBuffers(), *fused.getLayouts(), types))
      stretches.push_back(stretchOf(buffer, [layout = layout, type = type](Sample &sample) {
        return sample.reach(layout, cast<model::NamedTensorType>(type));
      }));
    return stretches;
  }

  Relation between(const Stretch &a, const Stretch &b) const {
    if (a.memory != b.memory)
      return !a.slot || !b.slot || areApart(a.slot, b.slot) ? Relation::apart
                                                            : Relation::overlapping;
    // Pieces of different passes, or a piece and the whole: they may overlap.
    if (a.steps != b.steps)
      return Relation::overlapping;
    if (a.offset == b.offset)
      return Relation::same;
    bool isKnown = false;
    for (int64_t size : sampleSizes) {
      Sample sample(dims, size);
      int64_t atA = sample.at(a.offset), atB = sample.at(b.offset);
      bool overlap = atA < atB + b.bytes(sample) && atB < atA + a.bytes(sample);
      if (sample.isExact() && overlap)
        return Relation::overlapping;
      isKnown |= sample.isExact();
    }
    return isKnown ? Relation::apart : Relation::overlapping;
  }

  bool areApart(SlotOp a, SlotOp b) const {
    auto entry = a->getParentOfType<EntryOp>();
    auto [known, isNew] = arenas.try_emplace(entry, entry);
    return known->second.areApart(a.getNumber(), b.getNumber());
  }

  model::Dims dims;
  mutable std::map<Operation *, Arena> arenas; // of entries
};

} // namespace

std::optional<Breach> plan::overlapping(ModuleOp module) {
  Overlaps overlaps(module);
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    if (auto launch = dyn_cast<LaunchOp>(op))
      found = overlaps.in(launch);
    else if (auto copy = dyn_cast<CopyOp>(op))
      found = overlaps.in(copy);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> plan::notApart(ModuleOp module) {
  Overlaps overlaps(module);
  std::optional<Breach> found;
  module.walk([&](Block *block) {
    SmallVector<LaunchOp> together;
    llvm::DenseSet<Attribute> ended;
    auto end = [&] {
      if (!found && together.size() > 1)
        found = overlaps.among(together);
      if (!together.empty())
        ended.insert(together.front().getTogetherAttr());
      together.clear();
    };
    for (Operation &op : *block) {
      auto launch = dyn_cast<LaunchOp>(op);
      IntegerAttr number = launch ? launch.getTogetherAttr() : IntegerAttr();
      bool isBuffer = op.getNumResults() == 1 && isa<BufferType>(op.getResult(0).getType());
      if (!isBuffer && (together.empty() || together.front().getTogetherAttr() != number))
        end();
      if (number && ended.contains(number) && !found)
        found = Breach{launch, "does not follow the launches that it is one with"};
      if (number)
        together.push_back(launch);
    }
    end();
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
