// Which products of a contraction multiply pairs of bfloat16.
#include "codegen/cpu/contraction/PairTerms.h"

#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

static bool hasPairs(kernel::FusedOp op, const Term &term) {
  auto layout = [&](mlir::Value side) { return op.getLayoutsAttr()[operandNumber(side)]; };
  mlir::Type left = kernel::storageIn(layout(term.left()));
  return left && left.isBF16() && kernel::isPaired(layout(term.right()));
}

static bool tilesMultiply(const Emission &emission, kernel::FusedOp op,
                          const ContractionForm &form) {
  return emission.pairProducts == PairProducts::tiles &&
         all_of(form.segments, [&](const Segment &segment) {
           return all_of(segment.sums, [&](const Sum &sum) {
             return all_of(sum.terms, [&](const Term &term) { return hasPairs(op, term); });
           });
         });
}

PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op,
                            const ContractionForm &form, const Term &term) {
  if (emission.pairProducts == PairProducts::tiles)
    return tilesMultiply(emission, op, form) ? PairProducts::tiles : PairProducts::none;
  return hasPairs(op, term) ? emission.pairProducts : PairProducts::none;
}

ContractionAttr withTilesOf(const Emission &emission, kernel::FusedOp op,
                            const ContractionForm &form, ContractionAttr schedule) {
  if (!tilesMultiply(emission, op, form))
    return schedule;
  constexpr Tile tile{32, 2};
  constexpr int64_t depth = 32; // of a tile of the left side
  return ContractionAttr::get(
      schedule.getContext(), tile, schedule.getUnroll(), schedule.getAccumulators(),
      int64_t(alignTo(schedule.getRows(), tile.rows)),
      int64_t(alignTo(schedule.getColumns(), tile.width())),
      int64_t(alignTo(schedule.getK(), depth)), schedule.getWork(), schedule.getTasks(),
      schedule.getLongSum(), schedule.getLongTasks(), schedule.getRowsFirst());
}

} // namespace weft::cpu
