// Which products of a contraction multiply pairs of bfloat16.
#include "codegen/cpu/contraction/PairTerms.h"

#include "ir/cpu/Amx.h"
#include "ir/cpu/Schedules.h"
#include "ir/kernel/Walk.h"
#include "ir/kernel/storage/PairProducts.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op) {
  const bool none = emission.pairProducts == PairProducts::tiles &&
                    !multipliesByTiles({op, emission.dims}, machineOf(Isa::amx));
  return none ? PairProducts::none : emission.pairProducts;
}

int64_t fewRowsOf(const ContractionAttr &schedule, PairProducts pairs) {
  return pairs == PairProducts::tiles ? amx::fewRows : schedule.getTile().rows;
}

TermProducts productsOf(const Emission &emission, kernel::FusedOp op, const kernel::Term &term,
                        PairProducts pairs) {
  if (kernel::isPairTerm(op, term))
    return {pairs, false};
  auto left = cast<mlir::BlockArgument>(term.left()).getArgNumber();
  const bool scaled =
      pairs != PairProducts::none && kernel::isScaledTerm(op, term) &&
      kernel::walkOver(emission.dims, cast<kernel::LayoutAttr>(op.getLayoutsAttr()[left]), term.k)
          .contiguous();
  return {scaled ? pairs : PairProducts::none, scaled};
}

ContractionAttr withTiles(ContractionAttr schedule) {
  constexpr Tile tile{amx::rows, amx::panels}, noOther{1, 1};
  constexpr int64_t accumulators = 1; // cores of all schedules are the same
  return ContractionAttr::get(schedule.getContext(), tile, accumulators,
                              int64_t(alignTo(schedule.getRows(), tile.rows)),
                              int64_t(alignTo(schedule.getColumns(), tile.width())),
                              int64_t(alignTo(schedule.getK(), amx::depth)), schedule.getWork(),
                              schedule.getTasks(), schedule.getLongSum(), schedule.getLongTasks(),
                              schedule.getRowsFirst(), schedule.getNonTemporal(), noOther);
}

} // namespace weft::cpu
