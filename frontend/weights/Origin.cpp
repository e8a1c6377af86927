// What the builder left on parameters, read back.
#include "frontend/weights/Origin.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace weft {

Origin::Origin(model::ParameterOp parameter) {
  model::OriginAttr origin = parameter.getOriginAttr();
  if (!origin)
    return;
  block = origin.getBlock().str();
  for (auto [name, filled] : llvm::zip(origin.getNames(), origin.getFilled())) {
    Slot slot{name.str(), {}};
    for (model::DimAttr dim : filled.getValue())
      slot.dims.push_back(dim.str());
    slots.push_back(std::move(slot));
  }
}

bool isRepeated(const std::string &dim, model::ParameterOp parameter) {
  auto module = parameter->getParentOfType<ModuleOp>();
  return llvm::any_of(module.getOps<model::ParameterOp>(), [&](model::ParameterOp other) {
    auto dims = cast<model::NamedTensorType>(other.getType()).getDims();
    return llvm::any_of(dims.take_front(other.getLoops()),
                        [&](model::DimAttr loop) { return loop.getValue() == dim; });
  });
}

} // namespace weft
