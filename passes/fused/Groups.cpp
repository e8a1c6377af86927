// Which ops will become one kernel.
#include "passes/fused/Groups.h"

#include "passes/fused/Outline.h"
#include "passes/kernel/Places.h"

using namespace mlir;
using namespace weft;

static constexpr llvm::StringLiteral attribute = "weft.group";

Groups::Groups(Block &block) : block(block) {
  for (Operation &op : block)
    if (std::optional<int64_t> group = of(&op))
      groups[*group].insert(&op);
}

std::optional<int64_t> Groups::of(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(attribute);
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

SmallVector<int64_t> Groups::numbers() const {
  SmallVector<int64_t> result;
  for (const auto &[number, members] : groups)
    if (!members.empty())
      result.push_back(number);
  return result;
}

int64_t Groups::form(ArrayRef<Operation *> ops) {
  int64_t number = 0;
  for (const auto &[each, members] : groups)
    number = std::max(number, each + 1);
  add(number, ops);
  return number;
}

void Groups::add(int64_t group, ArrayRef<Operation *> ops) {
  auto number = IntegerAttr::get(IntegerType::get(block.front().getContext(), 64), group);
  for (Operation *op : ops) {
    op->setAttr(attribute, number);
    groups[group].insert(op);
  }
}

void Groups::merge(int64_t into, int64_t from) {
  Members moved = groups[from];
  groups[from].clear();
  add(into, moved.getArrayRef());
}

bool Groups::isLegal(const Members &ops) const {
  Operation *last = ops.front();
  for (Operation *op : ops)
    if (last->isBeforeInBlock(op))
      last = op;
  // Views of members are looked through: they stay where they are, so what they feed must come later too.
  for (Operation *op : ops)
    for (Operation *user : op->getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (here && !ops.contains(here) && !last->isBeforeInBlock(here))
        return false;
    }
  return true;
}

bool Groups::couldAdd(int64_t group, ArrayRef<Operation *> ops) const {
  Members together = members(group);
  together.insert(ops.begin(), ops.end());
  return isLegal(together);
}

bool Groups::isLoose(Operation *op) const {
  return op && op->getBlock() == &block && !of(op) && isa<model::ModelDialect>(op->getDialect()) &&
         op->getNumResults() && !isFree(op) && !isView(op) && !isa<model::RepeatOp, model::ParamOp>(op);
}

void weft::forEachBlock(Operation *root, llvm::function_ref<void(Block &)> visit) {
  root->walk([&](Operation *op) {
    if (isa<func::FuncOp, model::RepeatOp>(op) && !op->getRegion(0).empty())
      visit(op->getRegion(0).front());
  });
}

DimSet weft::dimsOf(Value value) {
  auto dims = model::typeOf(value).getDims();
  return DimSet(dims.begin(), dims.end());
}

bool weft::contains(const DimSet &outer, const DimSet &inner) {
  return llvm::all_of(inner, [&](StringAttr dim) { return outer.contains(dim); });
}
