// Storages at offsets: placed by several orders at several sizes, of which the plan keeps what lies
// behind what. That holds for all sizes; the addresses do not.
#include "passes/plan/Slots.h"

#include "passes/plan/Stacking.h"

#include "llvm/ADT/BitVector.h"

#include <numeric>

using namespace weft;

namespace {

/// Bytes at nominal sizes, and at the same divided by `part`, which a formula may not have.
int64_t bytesAt(const Size &formula, const model::Dims &dims, int64_t part) {
  auto value = [&](const std::string &name) {
    return std::optional(std::max<int64_t>(1, dims.nominal(Size::dim(name)) / part));
  };
  return dims.resolve(formula).evaluate(value).value_or(dims.nominal(formula));
}

/// Lines of 64 bytes; at least one, so that what is needed at one time never begins in one place.
int64_t linesOf(int64_t bytes) {
  return std::max<int64_t>(1, (bytes + 63) / 64);
}
} // namespace

SlotList weft::assignSlots(std::list<Storage> &storages, const model::Dims &dims) {
  std::vector<Storage *> all;
  std::vector<Lifetime> lives;
  for (Storage &storage : storages)
    if (storage.kind == Storage::Kind::slot) {
      all.push_back(&storage);
      lives.push_back({storage.start, storage.end});
    }
  constexpr int64_t parts[] = {1, 8, 64};
  std::vector<std::vector<int64_t>> lines;
  for (int64_t part : parts)
    for (auto &column = lines.emplace_back(); Storage *storage : all)
      column.push_back(linesOf(bytesAt(storage->bytes, dims, part)));
  std::vector<int64_t> offsets = Stacking(lives).best(lines);

  // What has one place and one formula is one slot.
  std::vector<unsigned> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return offsets[a] < offsets[b]; });
  SlotList slots;
  std::vector<llvm::SmallVector<unsigned>> members;
  for (unsigned i : order) {
    unsigned slot = members.size();
    while (slot > 0 && offsets[members[slot - 1].front()] == offsets[i] &&
           slots.bytes[slot - 1] != all[i]->bytes)
      --slot;
    bool known = slot > 0 && offsets[members[slot - 1].front()] == offsets[i];
    if (!known) {
      slots.bytes.push_back(all[i]->bytes);
      members.emplace_back();
      slot = members.size();
    }
    members[slot - 1].push_back(i);
    all[i]->number = slot - 1;
  }

  // Only what is not behind by way of others is said.
  std::vector<llvm::BitVector> after;
  for (unsigned slot = 0; slot < members.size(); ++slot) {
    llvm::BitVector behind(members.size());
    slots.behind.emplace_back();
    for (unsigned below = slot; below-- > 0;) {
      bool meet = llvm::any_of(members[slot], [&](unsigned a) {
        return llvm::any_of(members[below], [&](unsigned b) { return lives[a].meets(lives[b]); });
      });
      if (!meet || behind.test(below))
        continue;
      slots.behind.back().push_back(below);
      behind |= after[below];
      behind.set(below);
    }
    std::reverse(slots.behind.back().begin(), slots.behind.back().end());
    after.push_back(std::move(behind));
  }
  return slots;
}
