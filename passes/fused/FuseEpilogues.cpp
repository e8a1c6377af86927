// f(contract(x, w), …)  ==>  one kernel: bias, activation, residual and the like while the tile is hot
//
// After projections are together. An elementwise op joins if it has just the dimensions of the contraction's result; what
// only it needs, and is as large, comes along (the derivative of an activation).
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEEPILOGUES
#include "passes/Passes.h.inc"

namespace {
class Epilogues {
public:
  explicit Epilogues(Block &block) : block(block), groups(block) {}

  void run() {
    for (auto contract : block.getOps<model::ContractOp>())
      if (groups.isLoose(contract))
        groups.form({contract});
    for (int64_t group : groups.numbers())
      if (llvm::any_of(groups.members(group), [](Operation *op) { return isa<model::ContractOp>(op); }))
        grow(group);
  }

private:
  void grow(int64_t group) {
    bool grown = true;
    while (grown) {
      grown = false;
      Groups::Members members = groups.members(group);
      for (Operation *member : members)
        for (Operation *user : member->getUsers())
          if (join(group, member, user)) {
            grown = true;
            break;
          }
    }
  }

  bool join(int64_t group, Operation *member, Operation *user) {
    if (!groups.isLoose(user) || !user->hasTrait<OpTrait::Elementwise>() ||
        dimsOf(user->getResult(0)).getArrayRef().size() != dimsOf(member->getResult(0)).size() ||
        !contains(dimsOf(member->getResult(0)), dimsOf(user->getResult(0))))
      return false;
    SmallVector<Operation *> added{user};
    if (!groups.couldAdd(group, added))
      return false;
    bring(group, user, added);
    groups.add(group, added);
    return true;
  }

  /// Producers of `op` that nobody else needs and that are as large as it.
  void bring(int64_t group, Operation *op, SmallVector<Operation *> &added) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!groups.isLoose(def) || llvm::is_contained(added, def) || !def->hasTrait<OpTrait::Elementwise>() ||
          dimsOf(operand).size() != dimsOf(op->getResult(0)).size())
        continue;
      bool ours = llvm::all_of(def->getUsers(), [&](Operation *user) {
        return llvm::is_contained(added, user) || groups.members(group).contains(user);
      });
      if (!ours)
        continue;
      added.push_back(def);
      bring(group, def, added);
    }
  }

  Block &block;
  Groups groups;
};

struct FuseEpilogues : impl::FuseEpiloguesBase<FuseEpilogues> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) { Epilogues(block).run(); });
  }
};
} // namespace
} // namespace weft
