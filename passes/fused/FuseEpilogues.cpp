// f(contract(x, w), …)  ==>  one kernel: bias, activation, residual and the like while the tile is
// in the cache
//
// After weft-fuse-projections. An elementwise op joins if it has just the dimensions of the
// contraction's result; producers that only it needs and that are as large join with it (the
// derivative of an activation, random numbers of a dropout). Contractions that are added up become
// one kernel, whose sums run over the terms of all. Operands of an epilogue are recomputed where
// that reads fewer tensors.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/fused/Recompute.h"
#include "passes/fused/Refusals.h"
#include "passes/model/DeadOps.h"

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
      if (llvm::any_of(groups.members(group),
                       [](Operation *op) { return isa<model::ContractOp>(op); }))
        grow(group);
    for (int64_t group : groups.numbers())
      for (Operation *op : groups.members(group))
        if (auto contract = dyn_cast<model::ContractOp>(op)) {
          recomputeOperands(groups, group, dimsOf(contract.getResult()));
          break;
        }
    refusals.report(groups, "weft-fuse-epilogues");
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
    if (!groups.isLoose(user))
      return false;
    auto refuse = [&](std::string why) {
      refusals.add(member, user, std::move(why));
      return false;
    };
    std::string name = user->getName().stripDialect().str();
    if (!user->hasTrait<OpTrait::Elementwise>())
      return refuse(name + " needs more than the tile that a product has at a time");
    if (dimsOf(user->getResult(0)).getArrayRef().size() != dimsOf(member->getResult(0)).size() ||
        !contains(dimsOf(member->getResult(0)), dimsOf(user->getResult(0))))
      return refuse(name + " has other dimensions than the product");
    if (leadsToRows(user) && anyOtherUser(group, member, user))
      return refuse("the product is stored in any case, and what follows goes over whole rows");
    SmallVector<Operation *> added{user};
    addProducers(group, user, added);
    SmallVector<int64_t> others = contractionsBeside(group, added);
    Groups::Members together = joined(group, added, others);
    if (!groups.isLegal(together)) {
      others.clear();
      together = joined(group, added, {});
    }
    if (!groups.isLegal(together))
      return refuse("something between them needs the product first");
    if (std::string why; !isOneContraction(together, &why))
      return refuse(why);
    for (int64_t other : others)
      groups.merge(group, other);
    groups.add(group, added);
    return true;
  }

  /// Whether all that follows from `op` are passes over rows, which had better compute it
  /// themselves: what the contraction would store for them is one tensor more.
  static bool leadsToRows(Operation *op) {
    return llvm::all_of(op->getUsers(), [](Operation *user) {
      if (user->hasTrait<OpTrait::Elementwise>())
        return leadsToRows(user);
      return isa<model::Reducing>(user);
    });
  }

  bool anyOtherUser(int64_t group, Operation *member, Operation *user) {
    return llvm::any_of(member->getUsers(), [&](Operation *other) {
      return other != user && !groups.members(group).contains(other);
    });
  }

  Groups::Members joined(int64_t group, ArrayRef<Operation *> added, ArrayRef<int64_t> others) {
    Groups::Members together = groups.members(group);
    together.insert(added.begin(), added.end());
    for (int64_t other : others)
      together.insert(groups.members(other).begin(), groups.members(other).end());
    return together;
  }

  /// Other groups of contractions whose results `added`, of which the first is the user, reads, and
  /// that can be one kernel with `group`.
  SmallVector<int64_t> contractionsBeside(int64_t group, ArrayRef<Operation *> added) {
    SmallVector<int64_t> result;
    for (Value operand : added.front()->getOperands()) {
      Operation *def = operand.getDefiningOp();
      std::optional<int64_t> other =
          def && def->getBlock() == &block ? Groups::of(def) : std::nullopt;
      if (other && *other != group && !llvm::is_contained(result, *other) &&
          isOneContraction(joined(group, added, *other)))
        result.push_back(*other);
    }
    return result;
  }

  /// Adds the producers of operands of `op` that nothing outside uses and that are as large as it.
  void addProducers(int64_t group, Operation *op, SmallVector<Operation *> &added) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!groups.isLoose(def) || llvm::is_contained(added, def) ||
          !(def->hasTrait<OpTrait::Elementwise>() || isa<model::RandomOp>(def)) ||
          dimsOf(operand).size() != dimsOf(op->getResult(0)).size())
        continue;
      bool usedInside = llvm::all_of(def->getUsers(), [&](Operation *user) {
        return !isa<model::ContractOp>(user) && // whose factors are read
               (llvm::is_contained(added, user) || groups.members(group).contains(user));
      });
      if (!usedInside)
        continue;
      added.push_back(def);
      addProducers(group, def, added);
    }
  }

  Block &block;
  Groups groups;
  Refusals refusals;
};

struct FuseEpilogues : impl::FuseEpiloguesBase<FuseEpilogues> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) { Epilogues(block).run(); });
    eraseDead(getOperation()); // producers that only epilogues used, which recompute them
  }
};
} // namespace
} // namespace weft
