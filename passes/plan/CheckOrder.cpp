// Nothing is read, or returned, before it is written; the old value of a parameter is not read
// after the new one is written.
#include "ir/plan/Accesses.h"
#include "passes/plan/PlanPromises.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// The memory that an op names: equal for ops that name the same. Every slot op is a buffer of its
/// own.
std::string nameOf(Operation *base) {
  auto numbered = [](const char *what, int64_t number) { return what + std::to_string(number); };
  if (auto place = dyn_cast<InputOp>(base))
    return numbered("input ", place.getNumber());
  if (auto place = dyn_cast<OutputOp>(base))
    return numbered("output ", place.getNumber());
  if (auto place = dyn_cast<PackedOp>(base))
    return numbered("packed ", place.getNumber());
  return "parameter " + cast<ParameterOp>(base).getName().str();
}

class Order {
public:
  std::optional<Breach> check(Block &block) {
    for (const Access &access : accessesOf(block)) {
      if (!access.base)
        return Breach{access.op, "has a buffer that is no place"};
      if (std::optional<Breach> found = access.writes ? write(access) : read(access))
        return found;
    }
    return std::nullopt;
  }

  std::optional<Breach> checkOutputs(EntryOp entry) {
    for (size_t i = 0; i < entry.getOutputs().size(); ++i)
      if (std::string name = "output " + std::to_string(i); !written.contains(name))
        return Breach{entry, "gives " + name + ", which nothing has written"};
    return std::nullopt;
  }

private:
  std::optional<Breach> read(const Access &access) {
    Operation *base = access.base;
    if (auto slot = dyn_cast<SlotOp>(base)) {
      if (!places.contains(base))
        return Breach{access.op, "reads a buffer of slot " + std::to_string(slot.getNumber()) +
                                     " that nothing has written before"};
      return std::nullopt;
    }
    std::string name = nameOf(base);
    if (isa<OutputOp, PackedOp>(base) && !written.contains(name))
      return Breach{access.op, "reads " + name + ", which nothing has written before"};
    // The new value is read through the place that it was written through.
    if (isa<ParameterOp>(base) && written.contains(name) && written[name] != access.op &&
        !places.contains(base))
      return Breach{access.op, "reads what " + name + " held before it was written"};
    return std::nullopt;
  }

  std::optional<Breach> write(const Access &access) {
    places.insert(access.base);
    if (!isa<SlotOp>(access.base))
      written[nameOf(access.base)] = access.op;
    return std::nullopt;
  }

  llvm::SmallPtrSet<Operation *, 16> places; // that something was written through
  llvm::StringMap<Operation *> written;      // its last writer
};
} // namespace

std::optional<Breach> plan::outOfOrder(ModuleOp module) {
  for (auto entry : module.getOps<EntryOp>()) {
    Order order; // what `prepare` packs is there when the body runs
    for (Region *region : {&entry.getPrepare(), &entry.getBody()})
      if (std::optional<Breach> found = order.check(region->front()))
        return found;
    if (std::optional<Breach> found = order.checkOutputs(entry))
      return found;
  }
  return std::nullopt;
}
