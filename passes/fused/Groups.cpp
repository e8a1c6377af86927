// Which ops will become one kernel.
#include "passes/fused/Groups.h"

#include "ir/kernel/ContractionForm.h"
#include "passes/fused/Outline.h"
#include "passes/kernel/Places.h"

#include <set>

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

SmallVector<Operation *> Groups::usersOf(Operation *op) const {
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers())
    if (Operation *here = block.findAncestorOpInBlock(*user))
      users.push_back(here);
  return users;
}

bool Groups::isLegal(const Members &ops) const {
  llvm::SmallPtrSet<Operation *, 32> seen;
  SmallVector<Operation *> open;
  auto reach = [&](Operation *from) {
    for (Operation *user : usersOf(from)) {
      if (ops.contains(user) || !seen.insert(user).second)
        continue;
      open.push_back(user);
    }
  };
  for (Operation *op : ops)
    reach(op);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    // Who reaches a member of another group reaches all of it.
    SmallVector<Operation *> together{op};
    if (std::optional<int64_t> group = of(op))
      together.assign(members(*group).begin(), members(*group).end());
    for (Operation *each : together) {
      if (ops.contains(each))
        continue; // members of groups that `ops` would swallow
      seen.insert(each);
      if (llvm::any_of(usersOf(each), [&](Operation *user) { return ops.contains(user); }))
        return false;
      reach(each);
    }
  }
  return true;
}

void Groups::gather() {
  // Nodes are groups and single ops, at the place of their last member; each goes as early as that
  // and its needs allow.
  llvm::DenseMap<Operation *, unsigned> place, node;
  llvm::DenseMap<int64_t, unsigned> ofGroup;
  std::vector<SmallVector<Operation *>> nodes;
  for (auto [position, op] : llvm::enumerate(block.without_terminator())) {
    place[&op] = position;
    std::optional<int64_t> group = of(&op);
    auto [entry, isNew] =
        group ? ofGroup.try_emplace(*group, nodes.size()) : std::pair(ofGroup.end(), true);
    if (isNew)
      nodes.emplace_back();
    node[&op] = group ? entry->second : nodes.size() - 1;
    nodes[node[&op]].push_back(&op);
  }
  std::vector<llvm::SmallSetVector<unsigned, 4>> users(nodes.size());
  std::vector<unsigned> waiting(nodes.size());
  for (auto [number, ops] : llvm::enumerate(nodes))
    for (Operation *op : ops)
      for (Operation *user : usersOf(op))
        if (auto to = node.find(user);
            to != node.end() && to->second != number && users[number].insert(to->second))
          ++waiting[to->second];

  std::set<std::pair<unsigned, unsigned>> ready; // by place
  auto release = [&](unsigned number) {
    if (waiting[number] == 0)
      ready.insert({place[nodes[number].back()], number});
  };
  for (unsigned number = 0; number < nodes.size(); ++number)
    release(number);
  while (!ready.empty()) {
    unsigned number = ready.begin()->second;
    ready.erase(ready.begin());
    for (Operation *op : nodes[number])
      op->moveBefore(block.getTerminator());
    for (unsigned user : users[number]) {
      --waiting[user];
      release(user);
    }
  }
}

bool Groups::couldAdd(int64_t group, ArrayRef<Operation *> ops) const {
  Members together = members(group);
  together.insert(ops.begin(), ops.end());
  return isLegal(together);
}

bool Groups::isLoose(Operation *op) const {
  return op && op->getBlock() == &block && !of(op) && isa<model::ModelDialect>(op->getDialect()) &&
         op->getNumResults() && !isFree(op) && !isView(op) &&
         !isa<model::RepeatOp, model::ParamOp>(op);
}

bool weft::isOneContraction(const Groups::Members &members, std::string *why) {
  SmallVector<Operation *> ops(members.getArrayRef());
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return succeeded(kernel::readContraction(ops, leaving(ops), why));
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
