// What the interpreter rounds.
#include "tools/kernel/StoredRounding.h"

#include "ir/model/Bfloat16.h"

using namespace mlir;

namespace weft::trial {

bool isStoredNarrower(OpResult result) {
  auto op = dyn_cast<kernel::FusedOp>(result.getOwner());
  return op && op.getLayouts() &&
         kernel::storageIn(op.getLayoutsAttr()[op.getNumOperands() + result.getResultNumber()]);
}

void roundAsStored(OpResult result, reference::Array &array) {
  if (!isStoredNarrower(result))
    return;
  auto &values = std::get<reference::Floats>(array.data);
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
