// a = sum(x); b = square(a); c = sum(y)  ==>  {a = sum(x); c = sum(y)} as one launch; b = square(a)
#include "ir/cuda/Parameters.h"
#include "ir/kernel/Places.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_JOINLAUNCHES
#include "passes/Passes.h.inc"

namespace {

/// Threads of a block of `op` if it may be a part of a launch, else 0.
int64_t threadsOf(kernel::FusedOp op) {
  int64_t threads = 0;
  bool first = true;
  if (!op.getScheduleAttr())
    return 0;
  for (NamedAttribute each : op.getScheduleAttr()) {
    int64_t here = cast<kernel::ScheduleAttr>(each.getValue()).threadsOfShared();
    if (!first && here != threads)
      return 0; // an image has no other launches than another one
    threads = here;
    first = false;
  }
  // What is written into a cache is written over what others may still read of it.
  return llvm::any_of(op.getResults(), cacheWriteOf) ? 0 : threads;
}

class Update {
public:
  Update(func::FuncOp function, const Places &places, unsigned mostBuffers)
      : block(function.getBody().front()), places(places), mostBuffers(mostBuffers) {
    for (Operation &op : block)
      note(&op);
  }

  void run() {
    if (llvm::none_of(block.getOps<kernel::FusedOp>(), threadsOf))
      return;
    if (keepsLittle())
      reorder();
    SmallVector<kernel::FusedOp> group;
    auto end = [&] {
      if (group.size() > 1)
        for (kernel::FusedOp op : group)
          op.setTogether(count + 1);
      count += group.size() > 1;
      group.clear();
    };
    for (Operation &op : block) {
      auto fused = dyn_cast<kernel::FusedOp>(op);
      if (!fused && op.getNumRegions() == 0)
        continue;
      if (!fused || !joins(fused, group))
        end();
      if (fused && threadsOf(fused) > 0)
        group.push_back(fused);
    }
    end();
  }

private:
  /// What an op needs and changes: values of the block by who computes them, parameters by name.
  struct Effects {
    llvm::SetVector<Operation *> after;
    llvm::DenseSet<Attribute> reads, writes;
    int64_t level = 0;
  };

  void read(Value value, Effects &effects) {
    std::optional<Place> place = places.of(value);
    Value root = place ? place->root : value;
    Operation *maker = root.getDefiningOp();
    if (auto parameter = dyn_cast_or_null<model::ParamOp>(maker))
      effects.reads.insert(parameter.getNameAttr().getAttr());
    else if (maker && maker->getBlock() == &block)
      effects.after.insert(maker);
  }

  void note(Operation *op) {
    Effects &effects = known[op];
    for (Value operand : op->getOperands())
      read(operand, effects);
    for (Region &region : op->getRegions()) {
      SetVector<Value> used;
      getUsedValuesDefinedAbove(region, used);
      for (Value value : used)
        read(value, effects);
      region.walk([&](model::ParamOp op) { effects.reads.insert(op.getNameAttr().getAttr()); });
    }
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (auto assign = dyn_cast<model::AssignOp>(user))
          effects.writes.insert(assign.getNameAttr().getAttr());
    bool works = isa<kernel::FusedOp>(op) || op->getNumRegions() > 0;
    effects.level = works; // parameters come first
    for (Operation *before : effects.after)
      effects.level = std::max(effects.level, known[before].level + works);
    // A parameter is written in its place if nothing reads it any more: who did, stays before.
    for (Operation &before : llvm::make_range(block.begin(), op->getIterator()))
      if (!effects.writes.empty() && meet(known[&before].reads, effects.writes))
        effects.level = std::max(effects.level, known[&before].level + 1);
  }

  static bool meet(const llvm::DenseSet<Attribute> &some, const llvm::DenseSet<Attribute> &others) {
    return llvm::any_of(some, [&](Attribute each) { return others.contains(each); });
  }

  /// Whether what is alive at most is little, in whatever order.
  bool keepsLittle() const {
    int64_t kept = 0, all = 0;
    for (auto fused : block.getOps<kernel::FusedOp>())
      for (Value result : fused.getResults()) {
        int64_t bytes = places.sizes.nominal(places.sizes.bytes(model::typeOf(result)));
        all += bytes;
        if (llvm::none_of(result.getUsers(), isBlockExit))
          kept += bytes;
      }
    constexpr int64_t part = 8, little = 1 << 20;
    return kept <= std::max(all / part, little);
  }

  /// By levels; of equal ones, what has as many threads side by side.
  void reorder() {
    SmallVector<Operation *> order;
    for (Operation &op : block.without_terminator())
      order.push_back(&op);
    auto key = [&](Operation *op) {
      auto fused = dyn_cast<kernel::FusedOp>(op);
      // Views stand behind what they are of, and assignments behind all.
      int64_t kind = fused || op->getNumRegions() > 0 ? 0 : 1;
      int64_t level = isBlockExit(op) ? std::numeric_limits<int64_t>::max() : known[op].level;
      return std::tuple(level, kind, fused ? threadsOf(fused) : 0);
    };
    llvm::stable_sort(order, [&](Operation *a, Operation *b) { return key(a) < key(b); });
    for (Operation *op : order)
      op->moveBefore(block.getTerminator());
  }

  bool joins(kernel::FusedOp op, ArrayRef<kernel::FusedOp> group) {
    const Effects &effects = known[op];
    size_t buffers = buffersOf(op);
    for (kernel::FusedOp other : group) {
      const Effects &theirs = known[other];
      if (threadsOf(other) != threadsOf(op) || effects.after.contains(other) ||
          meet(effects.reads, theirs.writes) || meet(effects.writes, theirs.reads))
        return false;
      buffers += buffersOf(other);
    }
    return buffers <= mostBuffers;
  }

  /// With what it may draw from.
  static size_t buffersOf(kernel::FusedOp op) {
    return op.getNumOperands() + op.getNumResults() + 1;
  }

  Block &block;
  const Places &places;
  unsigned mostBuffers;
  int64_t count = 0;
  llvm::DenseMap<Operation *, Effects> known;
};

struct JoinLaunches : impl::JoinLaunchesBase<JoinLaunches> {
  void runOnOperation() override {
    Places places(getOperation());
    unsigned buffers = cuda::mostBuffers(kernel::DimTable::of(getOperation()));
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (model::kindOf(function) == model::EntryKind::update)
        Update(function, places, buffers).run();
  }
};
} // namespace
} // namespace weft
