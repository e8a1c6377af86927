// add(scatter(rows), x)  ==>  one kernel: rows are added to what x has, and no zeros are written
// and read again
//
// Before weft-fuse-epilogues, which would add the scattered rows to a product, position by
// position: of a table that is gathered from and multiplied by, most positions have no row. Where x
// is computed and nothing else needs it, it lies in the memory of the sum (passes/plan/WriteOver);
// else it is copied there, which costs what zeros do.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Refusals.h"

#include "ir/model/Dims.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSESCATTERS
#include "passes/Passes.h.inc"

namespace {

/// The op that adds another value of the same dimensions to what `scatter` gives, or null.
model::AddOp sumOf(model::ScatterOp scatter) {
  if (!scatter->hasOneUse())
    return {};
  auto add = dyn_cast<model::AddOp>(*scatter->getUsers().begin());
  if (!add)
    return {};
  auto hasAll = [&](Value operand) {
    return dimsOf(operand).size() == dimsOf(add.getResult()).size();
  };
  return llvm::all_of(add->getOperands(), hasAll) ? add : model::AddOp();
}

/// Whether all that needs the sum goes over it position by position: in one kernel with that it is
/// not stored at all.
bool isNotStored(model::AddOp sum) {
  return llvm::all_of(sum->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::Elementwise>() && !isa<model::AddOp>(user);
  });
}

/// Whether equal positions follow one another in memory as those of `sum` do, but for what is the
/// same along a dimension.
bool liesAs(Value base, model::AddOp sum) {
  while (auto arrange = base.getDefiningOp<model::ArrangeOp>())
    base = arrange.getInput();
  return dimsOf(base) == dimsOf(sum.getResult()) || base.getDefiningOp<model::BroadcastOp>();
}

/// What becomes the sum by the rows alone is called what the sum is.
void nameAfter(Value base, model::AddOp sum) {
  Operation *maker = base.getDefiningOp();
  std::optional<std::string> name = model::nameOf(sum.getLoc());
  if (maker && name && !model::nameOf(maker->getLoc()))
    maker->setLoc(model::withName(maker->getLoc(), *name));
}

void fuse(Block &block) {
  Groups groups(block);
  Refusals refusals;
  for (auto scatter : block.getOps<model::ScatterOp>()) {
    model::AddOp add = sumOf(scatter);
    if (!add || !groups.isLoose(scatter) || !groups.isLoose(add))
      continue;
    if (isNotStored(add)) {
      refusals.add(scatter, add, "what follows the sum goes over it position by position");
      continue;
    }
    Value base = *llvm::find_if(add->getOperands(), [&](Value each) { return each != scatter; });
    if (!liesAs(base, add)) {
      refusals.add(scatter, add, "what rows are added to has its dimensions in another order");
      continue;
    }
    Groups::Members both;
    both.insert(scatter);
    both.insert(add);
    if (!groups.isLegal(both))
      continue;
    groups.form(both.getArrayRef());
    nameAfter(base, add);
  }
  refusals.report(groups, "weft-fuse-scatters");
}

struct FuseScatters : impl::FuseScattersBase<FuseScatters> {
  void runOnOperation() override { forEachBlock(getOperation(), fuse); }
};
} // namespace
} // namespace weft
