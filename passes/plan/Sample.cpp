// Sizes and offsets of a plan at one size of whatever comes with the data.
#include "passes/plan/Sample.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

int64_t Sample::at(const Size &formula) {
  std::optional<int64_t> value =
      dims.resolve(formula).evaluate([&](const std::string &) { return size; });
  exact &= value.has_value();
  return value.value_or(0);
}

int64_t Sample::largest(ArrayAttr sizes) {
  int64_t most = 0;
  for (auto each : sizes.getAsRange<model::SizeAttr>())
    most = std::max(most, at(each.getValue()));
  return most;
}

int64_t Sample::reach(Attribute layout, model::NamedTensorType type) {
  int64_t elements = 1;
  if (auto panels = dyn_cast<kernel::PanelsAttr>(layout)) {
    int64_t width = panels.getWidth(), columns = at(dims.size(panels.getColumns()));
    elements = at(dims.size(panels.getBatch())) * at(dims.size(panels.getRows())) *
               ((columns + width - 1) / width * width);
  } else if (auto strided = dyn_cast<kernel::LayoutAttr>(layout)) {
    for (StringAttr dim : type.getDims())
      if (std::optional<Size> stride = strided.stride(dim))
        elements += at(*stride) * (at(dims.size(dim)) - 1);
  }
  return elements * model::elementBytes(type);
}

int64_t Sample::offset(Value &buffer) {
  int64_t bytes = 0;
  while (isa_and_nonnull<OffsetOp, ReuseOp>(buffer.getDefiningOp())) {
    Operation *op = buffer.getDefiningOp();
    buffer = op->getOperand(0);
    auto step = dyn_cast<OffsetOp>(op);
    if (!step)
      continue;
    int64_t times = 1;
    if (Value pass = step.getPass())
      times = at(dims.size(cast<LoopOp>(pass.getParentBlock()->getParentOp()).getDimAttr())) - 1;
    bytes += at(step.getBytes().getValue()) * times;
  }
  return bytes;
}
