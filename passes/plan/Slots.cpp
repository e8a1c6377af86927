// Interval colouring of live ranges: in the order of their starts, each storage takes the free slot
// that it fits best.
#include "passes/plan/Slots.h"

#include <map>

using namespace weft;

namespace {
struct Slot {
  std::vector<Size> sizes;
  int64_t nominal = 0, busyUntil = 0;
};

/// What taking `slot` would waste or add, in nominal bytes (model::Dims::nominal); equal formulas
/// cost nothing.
int64_t cost(const Slot &slot, const Size &size, int64_t nominal) {
  if (llvm::is_contained(slot.sizes, size))
    return 0;
  return 1 + std::abs(slot.nominal - nominal);
}
} // namespace

std::vector<std::vector<Size>> weft::assignSlots(std::deque<Storage> &storages,
                                                 const model::Dims &dims) {
  std::multimap<int64_t, Storage *> order; // those that start together stay in order
  for (Storage &storage : storages)
    if (storage.kind == Storage::Kind::slot)
      order.emplace(storage.start, &storage);

  std::vector<Slot> slots;
  for (const auto &[start, storage] : order) {
    int64_t nominal = dims.nominal(storage->bytes);
    Slot *best = nullptr;
    for (Slot &slot : slots)
      // An op's results must not lie over its operands, so a slot is free only after the op that
      // used it last.
      if (slot.busyUntil < start &&
          (!best || cost(slot, storage->bytes, nominal) < cost(*best, storage->bytes, nominal)))
        best = &slot;
    if (!best || cost(*best, storage->bytes, nominal) > std::max(nominal, best->nominal))
      best = &slots.emplace_back();
    if (!llvm::is_contained(best->sizes, storage->bytes))
      best->sizes.push_back(storage->bytes);
    best->nominal = std::max(best->nominal, nominal);
    best->busyUntil = storage->end;
    storage->number = best - slots.data();
  }
  std::vector<std::vector<Size>> result;
  for (Slot &slot : slots)
    result.push_back(std::move(slot.sizes));
  return result;
}
