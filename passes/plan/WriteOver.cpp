// Results over operands: the storage of a result becomes that of an operand which nothing reads
// behind their kernel; of a result that has to lie in an output, that of the operand becomes the
// output.
#include "passes/plan/Homes.h"

#include "ir/kernel/InPlace.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

/// Whether `op` may write result `number` over `root`: it is in one block with it and its last
/// reader, and its kernel allows that of every operand by which it reads `root`.
bool Homes::mayBeLast(kernel::FusedOp op, unsigned number, Value root) const {
  if (root.getParentBlock() != op->getBlock())
    return false;
  int64_t now = numbers.lookup(op).first;
  SmallVector<Value> views{root};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      if (isView(user)) {
        views.push_back(user->getResult(0));
      } else if (user == op) {
        std::optional<Place> place = places.of(view);
        if (!place || place->offset != Size() ||
            !kernel::mayWriteInPlace(op, number, use.getOperandNumber()))
          return false;
      } else {
        Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
        if (!here || numbers.lookup(here).second >= now)
          return false;
      }
    }
  }
  return true;
}

Storage *Homes::slotUnder(kernel::FusedOp op, OpResult result, ArrayRef<Storage *> taken) const {
  for (Value operand : op.getInputs()) {
    std::optional<Place> place = places.of(operand);
    auto known = place ? homes.find(place->root) : homes.end();
    if (known == homes.end() || !known->second.steps.empty())
      continue;
    Storage *slot = known->second.storage;
    if (slot->kind == Storage::Kind::slot && slot->end == numbers.lookup(op).second &&
        slot->bytes == shared.bytes(result) && !is_contained(taken, slot) &&
        mayBeLast(op, result.getResultNumber(), place->root))
      return slot;
  }
  return nullptr;
}

void Homes::writeOver(kernel::FusedOp op) {
  SmallVector<Storage *> taken; // by another result
  for (OpResult result : op.getResults()) {
    auto home = homes.find(result);
    if (home == homes.end() || !home->second.steps.empty())
      continue;
    Storage *own = home->second.storage;
    if (own->kind != Storage::Kind::slot || own->first != result)
      continue;
    if (Storage *old = slotUnder(op, result, taken)) {
      replace(*own, *old);
      taken.push_back(old);
    }
  }
}

bool Homes::isAlone(Storage *storage) const {
  return llvm::count_if(homes, [&](auto &known) { return known.second.storage == storage; }) == 1;
}

void Homes::makeInOutput(kernel::FusedOp op) {
  for (OpResult result : op.getResults()) {
    auto home = homes.find(result);
    if (home == homes.end() || !home->second.steps.empty() ||
        home->second.storage->kind != Storage::Kind::output || !isAlone(home->second.storage))
      continue;
    if (Storage *old = slotUnder(op, result, {}))
      replace(*old, *home->second.storage);
  }
}

void Homes::replace(Storage &own, Storage &by) {
  by.end = std::max(by.end, own.end);
  for (auto &[root, home] : homes)
    if (home.storage == &own)
      home.storage = &by;
  auto turn = [&](auto &moves) {
    for (auto &[at, list] : moves)
      for (Move &move : list)
        if (move.to.storage == &own)
          move.to.storage = &by;
  };
  turn(endMoves);
  turn(loopMoves);
  storages.remove_if([&](const Storage &each) { return &each == &own; });
}
