// Which products of a contraction multiply pairs of bfloat16.
#include "codegen/cpu/contraction/PairTerms.h"

#include "ir/cpu/Amx.h"
#include "ir/kernel/storage/PairProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op) {
  if (emission.pairProducts == PairProducts::tiles && !kernel::multipliesPairs(op))
    return PairProducts::none;
  return emission.pairProducts;
}

ContractionAttr withTiles(ContractionAttr schedule) {
  constexpr Tile tile{amx::rows, amx::panels}, noOther{1, 1};
  constexpr int64_t unroll = 1, accumulators = 1; // cores of all schedules are the same
  return ContractionAttr::get(schedule.getContext(), tile, unroll, accumulators,
                              int64_t(alignTo(schedule.getRows(), tile.rows)),
                              int64_t(alignTo(schedule.getColumns(), tile.width())),
                              int64_t(alignTo(schedule.getK(), amx::depth)), schedule.getWork(),
                              schedule.getTasks(), schedule.getLongSum(), schedule.getLongTasks(),
                              schedule.getRowsFirst(), schedule.getNonTemporal(), noOther);
}

} // namespace weft::cpu
