// The live ranges of the buffers of an entry, from the plan alone: a check that is independent of
// Homes, which made it.
#include "ir/plan/Accesses.h"
#include "ir/plan/Arena.h"
#include "passes/plan/PlanPromises.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

namespace {
/// The live range of a buffer in a slot: first and last moment, by numbers of ops.
struct Life {
  SlotOp slot;
  int64_t begin, end;
};

class Lives {
public:
  explicit Lives(Block &block) : block(block) { number(block); }

  std::vector<Life> all() {
    llvm::MapVector<Operation *, std::vector<Access>> bySlot;
    for (Access &access : accessesOf(block))
      if (isa_and_nonnull<SlotOp>(access.base))
        bySlot[access.base].push_back(std::move(access));
    std::vector<Life> lives;
    for (auto &[slot, accesses] : bySlot)
      lives.push_back(lifeOf(cast<SlotOp>(slot), accesses));
    return lives;
  }

private:
  void number(Block &within) {
    for (Operation &op : within) {
      int64_t begin = moment++;
      if (auto loop = dyn_cast<LoopOp>(op))
        number(loop.getBody().front());
      moments[&op] = {begin, moment++};
    }
  }

  /// The live range, in the innermost block in which a buffer is written before it is read: there,
  /// no pass of a loop reads what the pass before has written.
  Life lifeOf(SlotOp slot, ArrayRef<Access> accesses) {
    Block *home = accesses.front().op->getBlock();
    auto outOf = [&](Block *inner) { home = inner->getParentOp()->getBlock(); };
    for (const Access &access : accesses) {
      while (!home->findAncestorOpInBlock(*access.op))
        outOf(home);
      for (LoopOp loop : access.pieces) // every pass has a piece
        while (loop.getBody().findAncestorBlockInRegion(*home))
          outOf(home);
    }
    if (!accesses.front().writes)
      home = &block; // carried from pass to pass
    Life life{slot, std::numeric_limits<int64_t>::max(), -1};
    for (const Access &access : accesses) {
      auto [begin, end] = moments.lookup(home->findAncestorOpInBlock(*access.op));
      life.begin = std::min(life.begin, begin);
      life.end = std::max(life.end, end);
    }
    return life;
  }

  Block &block;
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> moments;
  int64_t moment = 0;
};
} // namespace

std::optional<Breach> plan::needTheSameSlot(ModuleOp module) {
  for (auto entry : module.getOps<EntryOp>()) {
    std::vector<Life> lives = Lives(entry.getBody().front()).all();
    Arena arena(entry);
    for (size_t i = 0; i < lives.size(); ++i)
      for (size_t j = i + 1; j < lives.size(); ++j) {
        Life &a = lives[i], &b = lives[j];
        if (arena.areApart(a.slot.getNumber(), b.slot.getNumber()) || a.end < b.begin ||
            b.end < a.begin)
          continue;
        std::string where =
            a.slot.getNumber() == b.slot.getNumber()
                ? "there"
                : "in slot " + std::to_string(a.slot.getNumber()) + ", which may overlap with it,";
        return Breach{b.slot, "lies in slot " + std::to_string(b.slot.getNumber()) +
                                  " while another buffer that lies " + where + " is needed"};
      }
  }
  return std::nullopt;
}
