// Puts storages whose live ranges do not overlap into the same slot of the arena.
#ifndef WEFT_PASSES_PLAN_SLOTS_H
#define WEFT_PASSES_PLAN_SLOTS_H

#include "passes/plan/Homes.h"

namespace weft {

/// Numbers the slot storages (`Storage::number`) and returns, for every slot, the sizes in bytes
/// that it must hold. Sizes are formulas: they are compared at nominal sizes of dimensions, which
/// are their bounds or a guess.
std::vector<std::vector<Size>> assignSlots(std::deque<Storage> &storages, const model::Dims &dims);

} // namespace weft

#endif // WEFT_PASSES_PLAN_SLOTS_H
