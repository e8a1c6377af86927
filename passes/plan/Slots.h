// Puts storages that are never alive together into the same slot of the arena.
#ifndef WEFT_PASSES_PLAN_SLOTS_H
#define WEFT_PASSES_PLAN_SLOTS_H

#include "passes/plan/Homes.h"

namespace weft {

/// Numbers the slot storages (`Storage::number`) and returns, for every slot, the sizes in bytes
/// that it must hold. Sizes are formulas, so they are compared where the bounds (or a guess) put
/// them.
std::vector<std::vector<Size>> assignSlots(std::deque<Storage> &storages, const model::Dims &dims);

} // namespace weft

#endif // WEFT_PASSES_PLAN_SLOTS_H
