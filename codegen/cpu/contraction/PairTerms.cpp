// Which products of a contraction multiply pairs of bfloat16.
#include "codegen/cpu/contraction/PairTerms.h"

#include "codegen/cpu/tiles/AmxTiles.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

static bool hasPairs(kernel::FusedOp op, const Term &term) {
  auto layout = [&](mlir::Value side) { return op.getLayoutsAttr()[operandNumber(side)]; };
  mlir::Type left = kernel::storageIn(layout(term.left()));
  return left && left.isBF16() && kernel::isPaired(layout(term.right()));
}

static bool tilesMultiply(const Emission &emission, kernel::FusedOp op) {
  return emission.pairProducts == PairProducts::tiles && kernel::multipliesPairs(op);
}

PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op, const Term &term) {
  if (emission.pairProducts == PairProducts::tiles)
    return tilesMultiply(emission, op) ? PairProducts::tiles : PairProducts::none;
  return hasPairs(op, term) ? emission.pairProducts : PairProducts::none;
}

ContractionAttr withTilesOf(const Emission &emission, kernel::FusedOp op,
                            ContractionAttr schedule) {
  if (!tilesMultiply(emission, op))
    return schedule;
  constexpr Tile tile{amx::rows, amx::panels}, noOther{1, 1};
  return ContractionAttr::get(
      schedule.getContext(), tile, schedule.getUnroll(), schedule.getAccumulators(),
      int64_t(alignTo(schedule.getRows(), tile.rows)),
      int64_t(alignTo(schedule.getColumns(), tile.width())),
      int64_t(alignTo(schedule.getK(), amx::depth)), schedule.getWork(), schedule.getTasks(),
      schedule.getLongSum(), schedule.getLongTasks(), schedule.getRowsFirst(), noOther);
}

} // namespace weft::cpu
