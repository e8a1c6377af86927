// What uses a group of ops that grows, and what it needs.
#include "passes/fused/Together.h"

using namespace mlir;
using namespace weft;

bool Together::couldAdd(Operation *op) const {
  // No path leads from a member by way of something else to `op`, nor back.
  return llvm::none_of(groups.neededBy(op), [&](Operation *x) { return behind.contains(x); }) &&
         llvm::none_of(groups.usersOf(op), [&](Operation *x) { return before.contains(x); });
}

void Together::add(Operation *op) {
  ops.insert(op);
  behind.erase(op);
  before.erase(op);
  follow(op, behind, true);
  follow(op, before, false);
}

void Together::follow(Operation *op, Ops &found, bool down) {
  SmallVector<Operation *> open{op};
  while (!open.empty()) {
    Operation *each = open.pop_back_val();
    for (Operation *next : down ? groups.usersOf(each) : groups.neededBy(each)) {
      if (ops.contains(next) || !found.insert(next).second)
        continue;
      open.push_back(next);
      if (std::optional<int64_t> group = Groups::of(next)) // a path to one of it is one to all
        for (Operation *member : groups.members(*group))
          if (found.insert(member).second)
            open.push_back(member);
    }
  }
}
