// How the slots of an arena lie.
#include "ir/plan/Arena.h"

using namespace mlir;
using namespace weft::plan;

static std::vector<SmallVector<unsigned>> behindIn(EntryOp entry) {
  std::vector<SmallVector<unsigned>> behind(entry.getSlots().size());
  std::optional<ArrayAttr> said = entry.getBehind();
  for (unsigned slot = 0; slot < behind.size(); ++slot) {
    if (said)
      llvm::append_range(behind[slot], cast<DenseI64ArrayAttr>((*said)[slot]).asArrayRef());
    else if (slot > 0)
      behind[slot].push_back(slot - 1);
  }
  return behind;
}

Arena::Arena(EntryOp entry) : Arena(behindIn(entry)) {}

Arena::Arena(std::vector<SmallVector<unsigned>> said) : behind(std::move(said)) {
  for (ArrayRef<unsigned> each : behind) {
    llvm::BitVector all(behind.size());
    for (unsigned below : each) {
      all |= after[below];
      all.set(below);
    }
    after.push_back(std::move(all));
  }
}

int64_t weft::plan::wholeLines(int64_t bytes) {
  constexpr int64_t line = 64;
  return (bytes + line - 1) / line * line;
}

std::vector<int64_t> Arena::starts(ArrayRef<int64_t> bytes) const {
  std::vector<int64_t> starts;
  int64_t end = 0;
  for (unsigned slot = 0; slot < slots(); ++slot) {
    int64_t start = 0;
    for (unsigned below : behind[slot])
      start = std::max(start, starts[below] + wholeLines(bytes[below]));
    starts.push_back(start);
    end = std::max(end, start + wholeLines(bytes[slot]));
  }
  starts.push_back(end);
  return starts;
}

std::vector<unsigned> Arena::tallest(ArrayRef<int64_t> bytes) const {
  std::vector<int64_t> start = starts(bytes);
  auto endsAt = [&](int64_t end) {
    return [&, end](unsigned slot) { return start[slot] + wholeLines(bytes[slot]) == end; };
  };
  std::vector<unsigned> chain;
  auto all = llvm::seq<unsigned>(0, slots());
  if (auto top = llvm::find_if(all, endsAt(start.back())); top != all.end())
    chain.push_back(*top);
  while (!chain.empty() && start[chain.back()] > 0) {
    ArrayRef<unsigned> below = behind[chain.back()];
    chain.push_back(*llvm::find_if(below, endsAt(start[chain.back()])));
  }
  return {chain.rbegin(), chain.rend()};
}
