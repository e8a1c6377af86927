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
  for (Attribute each : origin.getDims()) {
    auto pair = cast<ArrayAttr>(each);
    Slot slot{cast<StringAttr>(pair[0]).str(), {}};
    for (StringAttr dim : cast<ArrayAttr>(pair[1]).getAsRange<StringAttr>())
      slot.dims.push_back(dim.str());
    slots.push_back(std::move(slot));
  }
}

bool isRepeated(const std::string &dim, model::ParameterOp parameter) {
  auto module = parameter->getParentOfType<ModuleOp>();
  return llvm::any_of(module.getOps<model::ParameterOp>(), [&](model::ParameterOp other) {
    auto dims = cast<model::NamedTensorType>(other.getType()).getDims();
    return llvm::any_of(dims.take_front(other.getLoops()),
                        [&](StringAttr loop) { return loop == dim; });
  });
}

} // namespace weft
