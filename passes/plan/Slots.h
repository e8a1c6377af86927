// Puts storages into slots of the arena, and says which slots lie behind which.
#ifndef WEFT_PASSES_PLAN_SLOTS_H
#define WEFT_PASSES_PLAN_SLOTS_H

#include "passes/plan/Homes.h"

namespace weft {

/// Slots of an arena, by number.
struct SlotList {
  std::vector<Size> bytes;
  /// Of each, the slots with lower numbers that it begins behind (plan::Arena).
  std::vector<llvm::SmallVector<unsigned>> behind;
};

/// Numbers the slot storages (`Storage::number`) and returns the slots. Storages of which both are
/// needed at one time lie in slots of which one is behind the other. Sizes are formulas: which one
/// is behind is chosen at nominal sizes of dimensions, which are their bounds or a guess, and at
/// parts of these.
SlotList assignSlots(std::list<Storage> &storages, const model::Dims &dims);

} // namespace weft

#endif // WEFT_PASSES_PLAN_SLOTS_H
