// Which ops will become one kernel.
#include "passes/fused/Groups.h"

#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/Places.h"
#include "passes/fused/Outline.h"

#include <set>

using namespace mlir;
using namespace weft;

using kernel::groupName;

Groups::Groups(Block &block) : block(block) {
  countPlaces();
  for (Operation &op : block)
    if (std::optional<int64_t> group = of(&op)) {
      next = std::max(next, *group + 1);
      groups[*group].insert(&op);
      extend(*group, &op);
    }
}

std::optional<int64_t> Groups::of(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(groupName);
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
  add(next, ops);
  return next++;
}

void Groups::add(int64_t group, ArrayRef<Operation *> ops) {
  auto number = IntegerAttr::get(IntegerType::get(block.front().getContext(), 64), group);
  bool areNew = llvm::any_of(ops, [&](Operation *op) { return !places.contains(op); });
  for (Operation *op : ops) {
    op->setAttr(groupName, number);
    groups[group].insert(op);
  }
  if (areNew) {
    countPlaces();
    extents.clear();
    for (const auto &[each, members] : groups)
      for (Operation *op : members)
        extend(each, op);
    return;
  }
  for (Operation *op : ops)
    extend(group, op);
}

void Groups::merge(int64_t into, int64_t from) {
  Members moved = groups[from];
  groups[from].clear();
  extents.erase(from);
  add(into, moved.getArrayRef());
}

SmallVector<Operation *> Groups::usersOf(Operation *op) const {
  SmallVector<Operation *> users;
  for (Operation *user : op->getUsers())
    if (Operation *here = block.findAncestorOpInBlock(*user))
      users.push_back(here);
  return users;
}

SmallVector<Operation *> Groups::neededBy(Operation *op) const {
  SmallVector<Operation *> needed;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *def = operand.getDefiningOp(); def && def->getBlock() == &block)
        needed.push_back(def);
  });
  return needed;
}

//===-- what lies between -------------------------------------------------------------------===//
//
// Uses lead down the block, and only a group that spans a place leads back up past it. So a search
// ends at the first place that no group spans: of a kernel that grows step by step, only the
// surroundings are searched.

void Groups::countPlaces() {
  places.clear();
  for (auto [place, op] : llvm::enumerate(block))
    places[&op] = place;
}

void Groups::extend(int64_t group, Operation *op) {
  const Members &all = members(group);
  unsigned here = placeOf(op);
  if (all.size() < 2)
    return;
  auto [known, isNew] = extents.try_emplace(group);
  known->second =
      isNew ? extentOf(all)
            : Extent{std::min(known->second.first, here), std::max(known->second.last, here)};
}

Groups::Extent Groups::extentOf(const Members &ops) const {
  Extent extent{placeOf(ops[0]), placeOf(ops[0])};
  for (Operation *op : ops)
    extent = {std::min(extent.first, placeOf(op)), std::max(extent.last, placeOf(op))};
  return extent;
}

/// The last place from which a path may lead up to what has the extent `of`; the first to which one
/// may lead down from it.
unsigned Groups::farthest(Extent of, Direction direction) const {
  bool down = direction == Direction::down;
  unsigned end = down ? of.last : of.first;
  bool grown = false;
  auto widen = [&](const auto &each) {
    const Extent &extent = each.second;
    if (extent.first <= end && end <= extent.last && end != (down ? extent.last : extent.first)) {
      end = down ? extent.last : extent.first;
      grown = true;
    }
  };
  do {
    grown = false;
    // The later groups tend to have the higher numbers: one round in the right order does it.
    down ? llvm::for_each(extents, widen) : llvm::for_each(llvm::reverse(extents), widen);
  } while (grown);
  return end;
}

/// Whether a path leads from an op of `from` over ops that are not `isInside` to one that `isGoal`:
/// along uses (down), or against them (up). `to` is the extent of the goals.
bool Groups::hasPath(const Members &from, Direction direction, Extent to, Search isInside,
                     Search isGoal) const {
  bool down = direction == Direction::down;
  unsigned end = farthest(to, direction);
  llvm::SmallPtrSet<Operation *, 32> seen;
  SmallVector<Operation *> open;
  auto reach = [&](Operation *op) {
    bool found = false;
    for (Operation *next : down ? usersOf(op) : neededBy(op)) {
      found |= isGoal(next);
      unsigned place = placeOf(next);
      if (!isInside(next) && (down ? place <= end : place >= end) && seen.insert(next).second)
        open.push_back(next);
    }
    return found;
  };
  for (Operation *op : from)
    reach(op);
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    // A path to a member of another group is a path to all of that group.
    SmallVector<Operation *> together{op};
    if (std::optional<int64_t> group = of(op))
      together.assign(members(*group).begin(), members(*group).end());
    for (Operation *each : together) {
      if (isInside(each))
        continue; // its group would be merged
      seen.insert(each);
      if (reach(each))
        return true;
    }
  }
  return false;
}

bool Groups::isLegal(const Members &ops) const {
  auto isMember = [&](Operation *op) { return ops.contains(op); };
  return !hasPath(ops, Direction::down, extentOf(ops), isMember, isMember);
}

bool Groups::couldMerge(int64_t a, int64_t b) const {
  // Each is legal by itself, so a path that forbids merging leads from one to the other: it is
  // searched from the smaller one, in both directions.
  const Members &first = members(a), &second = members(b);
  const Members &few = first.size() < second.size() ? first : second,
                &many = &few == &first ? second : first;
  auto isInside = [&](Operation *op) { return few.contains(op) || many.contains(op); };
  auto isGoal = [&](Operation *op) { return many.contains(op); };
  Extent to = extentOf(many);
  return !hasPath(few, Direction::down, to, isInside, isGoal) &&
         !hasPath(few, Direction::up, to, isInside, isGoal);
}

void Groups::gather() {
  // A topological sort. Nodes are groups and single ops, in the order of their last members' places
  // as far as uses allow.
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
  return llvm::all_of(inner, [&](model::DimAttr dim) { return outer.contains(dim); });
}
