// What the interpreter rounds.
#include "tools/kernel/storage/StoredRounding.h"

#include "ir/model/Bfloat16.h"

using namespace mlir;

namespace weft::trial {

bool isStoredNarrower(OpResult result) {
  auto op = dyn_cast<kernel::FusedOp>(result.getOwner());
  return op && op.getLayouts() &&
         kernel::storageIn(op.getLayoutsAttr()[op.getNumOperands() + result.getResultNumber()]);
}

static Attribute layoutOf(OpResult result) {
  auto op = cast<kernel::FusedOp>(result.getOwner());
  return op.getLayoutsAttr()[op.getNumOperands() + result.getResultNumber()];
}

/// The dimensions of `result`, and the sizes of what it is.
static std::pair<std::vector<std::string>, std::vector<int64_t>>
shapeOf(OpResult result, const reference::Array &array) {
  std::vector<std::string> dims;
  for (model::DimAttr dim : model::typeOf(result).getDims())
    dims.push_back(dim.str());
  return {dims, {array.shape.begin(), array.shape.end()}};
}

std::optional<GroupedWeights> groupedWeights(OpResult result, const reference::Array &array) {
  if (!isStoredNarrower(result) || !kernel::weightFormatOf(layoutOf(result)))
    return std::nullopt;
  auto [dims, shape] = shapeOf(result, array);
  return GroupedWeights(cast<kernel::PanelsAttr>(layoutOf(result)), dims, shape);
}

std::optional<GroupedRows> groupedRows(OpResult result, const reference::Array &array) {
  if (!isStoredNarrower(result) || !isGroupedRows(layoutOf(result)))
    return std::nullopt;
  auto [dims, shape] = shapeOf(result, array);
  return GroupedRows(cast<kernel::LayoutAttr>(layoutOf(result)), dims, shape);
}

void roundAsStored(OpResult result, reference::Array &array) {
  if (!isStoredNarrower(result))
    return;
  auto &values = std::get<reference::Floats>(array.data);
  if (std::optional<GroupedRows> rows = groupedRows(result, array))
    return rows->round(values);
  if (std::optional<GroupedWeights> groups = groupedWeights(result, array))
    return groups->round(values);
  llvm::transform(values, values.begin(), model::roundedToBfloat16);
}

bool storesNarrower(ModuleOp module) {
  return module
      .walk([](kernel::FusedOp op) {
        bool any = op.getLayouts() && llvm::any_of(*op.getLayouts(), kernel::storageIn);
        return any ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace weft::trial
