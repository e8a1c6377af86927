// Whether all launches agree on how the floats of a buffer are stored.
#include "ir/plan/Accesses.h"
#include "passes/plan/PlanPromises.h"

#include "ir/kernel/Kernel.h"
#include "ir/model/Entries.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// Of the buffers of one entry, by the op that says which memory it is.
class Storages {
public:
  std::optional<Breach> look(LaunchOp launch) {
    kernel::FusedOp fused = fusedOf(launch);
    if (!fused.getLayouts())
      return std::nullopt; // another promise
    for (auto [buffer, layout] : llvm::zip(launch.getBuffers(), *fused.getLayouts())) {
      Type storage = kernel::storageIn(layout),
           before = known.try_emplace(placeOf(buffer), storage).first->second;
      if (before != storage)
        return Breach{launch,
                      "has a buffer as " + said(storage) + " that is stored as " + said(before)};
    }
    return std::nullopt;
  }

  std::optional<Breach> look(CopyOp copy) {
    Operation *source = placeOf(copy.getFrom()), *target = placeOf(copy.getTo());
    auto from = known.find(source), to = known.find(target);
    if (from == known.end() || to == known.end() || from->second == to->second)
      return std::nullopt;
    return Breach{copy, "copies " + said(from->second) + " to where values are stored as " +
                            said(to->second)};
  }

private:
  Operation *placeOf(Value buffer) {
    Operation *base = baseOf(buffer);
    if (base->hasTrait<OfTheCaller>())
      known.try_emplace(base, outside(base));
    // What `prepare` writes has an op of its own there.
    auto ahead = dyn_cast<PackedOp>(base);
    return ahead ? packed.try_emplace(ahead.getNumber(), base).first->second : base;
  }
  /// As the world has it.
  static Type outside(Operation *base) {
    auto input = dyn_cast<InputOp>(base);
    if (!input)
      return {};
    auto entry = input->getParentOfType<EntryOp>();
    auto facts = cast<DictionaryAttr>(entry.getInputs()[input.getNumber()]);
    auto storage = facts.getAs<TypeAttr>(model::attr::storage);
    return storage ? storage.getValue() : Type();
  }
  static std::string said(Type storage) {
    return storage ? mlir::debugString(storage) : "its type says";
  }

  llvm::DenseMap<Operation *, Type> known;
  llvm::DenseMap<int64_t, Operation *> packed;
};

/// The first breach that one of the ops of a kind makes.
template <typename Kind> std::optional<Breach> first(EntryOp entry, Storages &storages) {
  std::optional<Breach> found;
  entry.walk([&](Kind op) {
    found = storages.look(op);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
} // namespace

std::optional<Breach> plan::storedInTwoWays(ModuleOp module) {
  for (auto entry : module.getOps<EntryOp>()) {
    Storages storages;
    if (std::optional<Breach> found = first<LaunchOp>(entry, storages))
      return found;
    if (std::optional<Breach> found = first<CopyOp>(entry, storages))
      return found;
  }
  return std::nullopt;
}
