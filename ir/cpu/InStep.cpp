// Tasks by the elements that they touch.
#include "ir/cpu/InStep.h"

#include "ir/cpu/Tile.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/Walk.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using llvm::alignTo, llvm::divideCeil;

namespace weft::cpu {

using kernel::DimList;

// As `partition` cuts them (codegen/cpu/rows/RowFunctions.h).
std::optional<Stretches> stretchesOf(KernelCase kernel, RowsAttr schedule, const Machine &machine,
                                     unsigned result) {
  if (kernel.op.getFamily() != kernel::Family::rows || kernel::isScan(kernel.op))
    return std::nullopt;
  FailureOr<kernel::ExpandedRows> expanded = kernel::expandRows(kernel.op, kernel.dims);
  if (failed(expanded))
    return std::nullopt;
  const kernel::RowProgram &program = expanded->program;
  auto layout =
      dyn_cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[kernel.op.getNumOperands() + result]);
  DimList inside, order(program.outer);
  for (kernel::DimAttr dim : program.loops)
    if (!llvm::is_contained(program.outer, dim) && !llvm::is_contained(program.lanes, dim))
      inside.push_back(dim);
  order.append(inside);
  order.append(program.lanes);
  std::optional<int64_t> total = kernel.dims.known(kernel::sizeOf(order)),
                         inner = kernel.dims.known(kernel::sizeOf(inside)),
                         lanes = kernel.dims.known(kernel::sizeOf(program.lanes));
  auto type = cast<model::NamedTensorType>(kernel.op.getResult(result).getType());
  if (!layout || !total || !inner || !lanes || *total < 1 ||
      type.getDims().size() != order.size() ||
      !kernel::walkOver(kernel.dims, layout, order).contiguous())
    return std::nullopt;
  const int64_t grain = schedule.getElements();
  if (!program.lanesOuter) {
    int64_t row = *inner * *lanes;
    return Stretches{int64_t(divideCeil(grain, row)) * row, *total};
  }
  if (*inner != 1)
    return std::nullopt;
  int64_t block = alignTo(grain, machine.lanes * schedule.getUnroll());
  if (block >= *lanes)
    return Stretches{int64_t(divideCeil(grain, *lanes)) * *lanes, *total};
  if (*total != *lanes)
    return std::nullopt; // blocks of columns, in rows of their own
  return Stretches{block, *total};
}

int64_t PackedInOrder::unit() const {
  return row * (transposes ? panelWidth : kernel::rowsOfPair);
}

int64_t PackedInOrder::bytes() const {
  int64_t columns = transposes ? rows : row, downwards = transposes ? row : rows;
  return sources * int64_t(alignTo(columns, panelWidth) * alignTo(downwards, kernel::rowsOfPair)) *
         int64_t(sizeof(uint16_t));
}

PackAttr PackedInOrder::schedule(MLIRContext *context, int64_t each) const {
  int64_t count = each / row;
  if (transposes)
    return PackAttr::get(context, count / panelWidth, alignTo(row, kernel::rowsOfPair),
                         /*non_temporal=*/true);
  return PackAttr::get(context, divideCeil(row, panelWidth), count, /*non_temporal=*/true);
}

std::optional<PackedInOrder> packedInOrder(KernelCase kernel) {
  ArrayAttr layouts = kernel.op.getLayoutsAttr();
  if (kernel.op.getFamily() != kernel::Family::pack || !layouts || layouts.size() != 2)
    return std::nullopt;
  auto source = dyn_cast<kernel::LayoutAttr>(layouts[0]);
  auto panels = dyn_cast<kernel::PanelsAttr>(layouts[1]);
  if (!source || !kernel::isPaired(layouts[1]) || panels.getWidth() != panelWidth)
    return std::nullopt;
  auto known = [&](ArrayRef<kernel::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims)).value_or(0);
  };
  for (bool transposes : {false, true}) {
    ArrayRef<kernel::DimAttr> rows = transposes ? panels.getColumns() : panels.getRows(),
                              columns = transposes ? panels.getRows() : panels.getColumns();
    DimList order(panels.getBatch());
    order.append(rows.begin(), rows.end());
    order.append(columns.begin(), columns.end());
    PackedInOrder found{transposes, known(panels.getBatch()), known(rows), known(columns)};
    if (found.total() > 0 && kernel::walkOver(kernel.dims, source, order).contiguous())
      return found;
  }
  return std::nullopt;
}

} // namespace weft::cpu
