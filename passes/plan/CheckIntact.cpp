// No value is read after another was written over it: an abstract run of each entry, launch by
// launch, loops twice, which tracks what has overwritten each buffer. From the plan alone: a check
// that is independent of Homes, which made it.
#include "ir/plan/Accesses.h"
#include "passes/plan/PlanPromises.h"

#include "ir/model/Dims.h"
#include "ir/plan/Arena.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// The piece of a memory that a buffer is, from the outside in: passes, and the bytes for each.
using Steps = SmallVector<std::pair<Value, Attribute>>;

bool beginsWith(ArrayRef<Steps::value_type> steps, ArrayRef<Steps::value_type> first) {
  return steps.size() >= first.size() && steps.take_front(first.size()) == first;
}

/// An op that has written over a value, when, and to which piece.
struct Writer {
  Operation *op;
  int64_t moment;
  Steps steps;
};
using Writers = SmallVector<Writer, 1>;

/// A buffer, as it is now.
struct View {
  std::string memory; ///< equal for what shares bytes: the number of the slot, not of the buffer
  Operation *slot = nullptr;
  Value whole; ///< the buffer of which it is the piece of a pass
  Steps steps;
  Writers overwritten;
};

/// A pass of a loop that is being run, and the moment at which it began.
struct Pass {
  Operation *loop;
  int64_t begin;
};

class Walk {
public:
  explicit Walk(EntryOp entry) : arena(entry) {}

  std::optional<Breach> over(Block &block) {
    llvm::DenseMap<Operation *, SmallVector<Value>> last;
    for (Operation &op : block)
      if (op.getNumResults() == 1 && isa<BufferType>(op.getResult(0).getType()))
        last[lastUse(op.getResult(0), block)].push_back(op.getResult(0));
    for (Operation &op : block) {
      ++moment;
      if (std::optional<Breach> found = at(op))
        return found;
      for (Value done : last.lookup(&op))
        forget(done);
    }
    return std::nullopt;
  }

private:
  /// The last op of `block` that uses a buffer, or a buffer that is made of it.
  static Operation *lastUse(Value buffer, Block &block) {
    // A part may be made within a loop of the block: then the loop is what uses it.
    Operation *last = block.findAncestorOpInBlock(*buffer.getDefiningOp());
    for (Operation *user : buffer.getUsers()) {
      Operation *here = isa<OffsetOp, ReuseOp>(user) ? lastUse(user->getResult(0), block)
                                                     : block.findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(here))
        last = here;
    }
    return last;
  }

  /// After its last use a buffer is not tracked: writes over it no longer matter. In long entries
  /// that is most buffers of a slot.
  void forget(Value buffer) {
    if (auto found = views.find(buffer); found != views.end()) {
      llvm::erase(sharing[found->second.memory], buffer);
      views.erase(found);
    }
  }

  std::optional<Breach> at(Operation &op) {
    if (auto loop = dyn_cast<LoopOp>(op))
      return twice(loop);
    if (auto copy = dyn_cast<CopyOp>(op))
      return run(op, copy.getFrom(), copy.getTo());
    if (auto leave = dyn_cast<LeaveOp>(op))
      return run(op, leave.getBuffers(), {});
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      kernel::FusedOp fused = fusedOf(launch);
      unsigned reads = fused.getNumOperands();
      return run(op, launch.getBuffers().take_front(reads),
                 launch.getBuffers().slice(reads, fused.getNumResults()));
    }
    if (op.getNumResults() == 1 && isa<BufferType>(op.getResult(0).getType()))
      reach(op);
    return std::nullopt;
  }

  /// The second pass finds what the first left; a third would find the same.
  std::optional<Breach> twice(LoopOp loop) {
    std::optional<Breach> found;
    for (int pass = 0; pass < 2 && !found; ++pass) {
      passes.push_back({loop, moment});
      found = over(loop.getBody().front());
      passes.pop_back();
    }
    return found;
  }

  /// A buffer that was reached and not yet forgotten: of one that is not tracked, writes over it
  /// would be missed.
  View &known(Value buffer) {
    auto found = views.find(buffer);
    if (found == views.end())
      llvm::reportFatalInternalError("the check of a plan has forgotten a buffer that is in use");
    return found->second;
  }

  /// A buffer's value is the one that is in memory when its op is reached.
  void reach(Operation &op) {
    View view;
    if (auto offset = dyn_cast<OffsetOp>(op)) {
      if (!offset.getPass())
        return; // a part of the same value
      view.whole = valueOf(offset.getBuffer());
      const View &whole = known(view.whole);
      view.memory = whole.memory;
      view.slot = whole.slot;
      view.steps = whole.steps;
      view.steps.push_back({offset.getPass(), offset.getBytes()});
      llvm::copy_if(whole.overwritten, std::back_inserter(view.overwritten),
                    [&](const Writer &writer) { return !wroteAnotherPiece(writer, view.steps); });
    } else if (auto reuse = dyn_cast<ReuseOp>(op)) {
      view = known(valueOf(reuse.getBuffer()));
      view.overwritten = lost.lookup(view.slot);
    } else if (auto slot = dyn_cast<SlotOp>(op)) {
      view.memory = slotNamed(slot.getNumber());
      view.slot = slot;
    } else if (auto place = dyn_cast<InputOp>(op)) {
      view.memory = "input " + std::to_string(place.getNumber());
    } else if (auto place = dyn_cast<OutputOp>(op)) {
      view.memory = "output " + std::to_string(place.getNumber());
    } else if (auto place = dyn_cast<PackedOp>(op)) {
      view.memory = "packed " + std::to_string(place.getNumber());
    } else if (auto place = dyn_cast<ParameterOp>(op)) {
      view.memory = "parameter " + place.getName().str();
    }
    Value buffer = op.getResult(0);
    SmallVector<Value> &beside = sharing[view.memory];
    if (!llvm::is_contained(beside, buffer)) // as in the pass before
      beside.push_back(buffer);
    views[buffer] = std::move(view);
  }

  std::optional<Breach> run(Operation &op, ValueRange reads, ValueRange writes) {
    for (Value buffer : reads)
      if (std::optional<Breach> found = read(op, valueOf(buffer)))
        return found;
    for (Value buffer : writes)
      write(op, valueOf(buffer));
    return std::nullopt;
  }

  std::optional<Breach> read(Operation &op, Value value) {
    const View &view = known(value);
    if (view.overwritten.empty())
      return std::nullopt;
    const Writer &writer = view.overwritten.front();
    std::string what = isa<LeaveOp>(op) ? "leaves " : "reads ";
    if (std::optional<std::string> name = model::nameOf(value.getLoc()))
      what += "`" + *name + "` in ";
    what += view.memory + " after ";
    auto launch = dyn_cast<LaunchOp>(writer.op);
    what += launch ? "@" + launch.getKernel().str() : "a copy";
    what += " wrote another value over it";
    if (llvm::any_of(passes, [&](const Pass &pass) { return isBefore(writer, pass); }))
      what += ", in the pass before";
    return Breach{&op, what};
  }

  void write(Operation &op, Value value) {
    const View written = known(value);
    for (Value other : overlapping(written)) {
      View &view = known(other);
      if (other == value || isPartOf(other, value) || isPartOf(value, other))
        view.overwritten.clear();
      else if (view.slot != written.slot)
        record(view.overwritten, {&op, moment, {}});
      else if (beginsWith(view.steps, written.steps) || beginsWith(written.steps, view.steps))
        record(view.overwritten, {&op, moment, written.steps});
      if (view.slot && view.slot != written.slot)
        record(lost[view.slot], {&op, moment, {}});
    }
    lost.erase(written.slot);
  }

  /// The buffers in memory that may have bytes of a buffer's.
  SmallVector<Value> overlapping(const View &view) {
    auto slot = dyn_cast_or_null<SlotOp>(view.slot);
    if (!slot)
      return sharing[view.memory];
    SmallVector<Value> all;
    for (unsigned other = 0; other < arena.slots(); ++other)
      if (!arena.areApart(slot.getNumber(), other))
        if (auto found = sharing.find(slotNamed(other)); found != sharing.end())
          llvm::append_range(all, found->second);
    return all;
  }

  static std::string slotNamed(int64_t number) { return "slot " + std::to_string(number); }

  static void record(Writers &writers, Writer writer) {
    // One that wrote over all of it is enough.
    auto wroteAll = [](const Writer &known) { return known.steps.empty(); };
    if (auto known = llvm::find_if(writers, wroteAll); known != writers.end()) {
      if (known->op == writer.op)
        known->moment = writer.moment;
      return;
    }
    llvm::erase_if(writers, [&](const Writer &known) { return known.op == writer.op; });
    writers.push_back(std::move(writer));
  }

  static bool isBefore(const Writer &writer, const Pass &pass) {
    return pass.loop->isProperAncestor(writer.op) && writer.moment <= pass.begin;
  }

  /// Whether `writer` wrote, in an earlier pass, the piece of that pass, and `steps` lead to the
  /// piece of this one.
  bool wroteAnotherPiece(const Writer &writer, const Steps &steps) {
    Value number = steps.back().first;
    Operation *loop = number.getParentBlock()->getParentOp();
    return beginsWith(writer.steps, steps) && llvm::any_of(passes, [&](const Pass &pass) {
             return pass.loop == loop && isBefore(writer, pass);
           });
  }

  bool isPartOf(Value part, Value whole) {
    while (part && part != whole)
      part = known(part).whole;
    return bool(part);
  }

  /// The buffer of the value of which this is a part.
  static Value valueOf(Value buffer) {
    auto offset = buffer.getDefiningOp<OffsetOp>();
    while (offset && !offset.getPass()) {
      buffer = offset.getBuffer();
      offset = buffer.getDefiningOp<OffsetOp>();
    }
    return buffer;
  }

  Arena arena;
  llvm::DenseMap<Value, View> views;
  std::map<std::string, SmallVector<Value>> sharing; // by memory, in the order of the entry
  llvm::DenseMap<Operation *, Writers> lost; // slot ops over which another buffer was written
  SmallVector<Pass> passes;                  // of the loops around, from the outside in
  int64_t moment = 0;
};
} // namespace

std::optional<Breach> plan::readTooLate(ModuleOp module) {
  for (auto entry : module.getOps<EntryOp>())
    for (Region *region : {&entry.getPrepare(), &entry.getBody()})
      if (std::optional<Breach> found = Walk(entry).over(region->front()))
        return found;
  return std::nullopt;
}
