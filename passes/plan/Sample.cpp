// Sizes and offsets of a plan at one size of whatever comes with the data.
#include "passes/plan/Sample.h"

#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Entries.h"
#include "ir/model/obligations/Obligations.h"
#include "ir/plan/Accesses.h"

using namespace mlir;
using namespace weft;
using namespace weft::plan;

Sample::Sample(const model::Dims &dims, int64_t size) : dims(dims), size(size) {
  // Changes one size after the other, to the smallest that gives positions to more dimensions.
  bool better = true;
  for (unsigned bad = empty(); bad > 0 && better; bad = empty()) {
    better = false;
    for (model::DimOp dim : dims.declared()) {
      std::optional<int64_t> here = value(dims.size(dim.getSymName()));
      if (!here || *here > 0)
        continue;
      for (const std::string &base : dims.size(dim.getSymName()).dims()) {
        std::map<std::string, int64_t> before = others;
        for (int64_t other = 1; other <= 1 << 20 && !better; other += 1 + other / 16) {
          others[base] = other;
          better = empty() < bad;
        }
        if (better)
          break;
        others = before;
      }
      if (better)
        break;
    }
  }
  exact = empty() == 0;
}

unsigned Sample::empty() const {
  return llvm::count_if(dims.declared(), [&](model::DimOp dim) {
    std::optional<int64_t> here = value(dims.size(dim.getSymName()));
    return here && *here < 1;
  });
}

std::optional<int64_t> Sample::value(const Size &formula) const {
  return formula.evaluate([&](const std::string &name) {
    auto found = others.find(name);
    return std::optional(found == others.end() ? size : found->second);
  });
}

std::string Sample::str() const {
  std::string text = "every size that comes with the data is " + std::to_string(size);
  for (const auto &[dim, other] : others)
    text +=
        (&dim == &others.begin()->first ? ", but " : ", ") + dim + " = " + std::to_string(other);
  return text;
}

bool Sample::suits(EntryOp entry) const {
  auto asked = entry->getAttrOfType<ArrayAttr>(model::attr::requirements);
  auto sizeOf = [&](const std::string &name) { return value(dims.size(name)); };
  return !asked || llvm::none_of(asked.getAsRange<model::RequireAttr>(), [&](auto what) {
    return model::broken(what, sizeOf).has_value();
  });
}

int64_t Sample::at(const Size &formula) {
  std::optional<int64_t> known = value(dims.resolve(formula));
  exact &= known.has_value();
  return known.value_or(0);
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
    int64_t batch = at(dims.size(panels.getBatch())), rows = at(dims.size(panels.getRows()));
    if (std::optional<model::WeightFormat> format = kernel::weightFormatOf(layout))
      return batch * model::groups::panelBytes(*format, rows, columns, width);
    elements = batch * kernel::storedRows(layout, rows) * ((columns + width - 1) / width * width);
  } else if (auto strided = dyn_cast<kernel::LayoutAttr>(layout)) {
    for (model::DimAttr dim : type.getDims())
      if (std::optional<Size> stride = strided.stride(dim))
        elements += at(*stride) * (at(dims.size(dim)) - 1);
  }
  return model::bytesOf(kernel::storageOf(type, layout), elements);
}

int64_t Sample::offset(Value buffer) {
  int64_t bytes = 0;
  baseOf(buffer, [&](OffsetOp step) {
    int64_t times = 1;
    if (Value pass = step.getPass())
      times = at(dims.size(cast<LoopOp>(pass.getParentBlock()->getParentOp()).getDimAttr())) - 1;
    bytes += at(step.getBytes().getValue()) * times;
  });
  return bytes;
}
