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

std::optional<GroupedWeights> groupedWeights(OpResult result, const reference::Array &array) {
  if (!isStoredNarrower(result))
    return std::nullopt;
  auto op = cast<kernel::FusedOp>(result.getOwner());
  Attribute layout = op.getLayoutsAttr()[op.getNumOperands() + result.getResultNumber()];
  if (!kernel::weightFormatOf(layout))
    return std::nullopt;
  std::vector<std::string> dims;
  for (model::DimAttr dim : model::typeOf(result).getDims())
    dims.push_back(dim.str());
  std::vector<int64_t> shape(array.shape.begin(), array.shape.end());
  return GroupedWeights(cast<kernel::PanelsAttr>(layout), dims, shape);
}

void roundAsStored(OpResult result, reference::Array &array) {
  if (!isStoredNarrower(result))
    return;
  auto &values = std::get<reference::Floats>(array.data);
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
