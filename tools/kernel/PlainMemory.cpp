// Buffers for a kernel that is timed.
#include "tools/kernel/PlainMemory.h"

#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "tools/kernel/Inputs.h"
#include "tools/kernel/storage/GroupedRows.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace weft::trial {

static int64_t count(llvm::ArrayRef<model::DimAttr> dims, const Sizes &sizes) {
  int64_t product = 1;
  for (model::DimAttr dim : dims)
    product *= sizes.at(dim.str());
  return product;
}

/// The elements that a value spans in memory: a view spans more than it has, or less.
static int64_t spanOf(mlir::Attribute layout, const Sizes &sizes) {
  if (auto panels = dyn_cast<kernel::PanelsAttr>(layout)) {
    int64_t width = panels.getWidth(), columns = count(panels.getColumns(), sizes);
    return count(panels.getBatch(), sizes) *
           kernel::storedRows(layout, count(panels.getRows(), sizes)) *
           ((columns + width - 1) / width * width);
  }
  auto strided = cast<kernel::LayoutAttr>(layout);
  int64_t last = 0;
  for (auto [dim, stride] : llvm::zip(strided.getDims(), strided.getStrides()))
    last += (sizes.at(dim.str()) - 1) * *stride.evaluate([&](const std::string &name) {
      return std::optional(sizes.at(name));
    });
  return last + 1;
}

static int64_t bytesOf(model::NamedTensorType type, mlir::Attribute layout, const Sizes &sizes) {
  std::optional<model::WeightFormat> format = kernel::weightFormatOf(layout);
  if (!format)
    return model::bytesOf(kernel::storageOf(type, layout), spanOf(layout, sizes));
  auto panels = cast<kernel::PanelsAttr>(layout);
  return count(panels.getBatch(), sizes) *
         model::groups::panelBytes(*format, count(panels.getRows(), sizes),
                                   count(panels.getColumns(), sizes), panels.getWidth());
}

static bool sharesScales(mlir::Attribute layout) {
  return kernel::weightFormatOf(layout) || isGroupedRows(layout);
}

PlainMemory::PlainMemory(kernel::FusedOp op, const Sizes &sizes, int64_t wanted) {
  auto add = [&](mlir::Value value) {
    mlir::Attribute layout = op.getLayoutsAttr()[buffers.size()];
    model::NamedTensorType type = model::typeOf(value);
    buffers.push_back({bytesOf(type, layout, sizes), type, layout});
  };
  llvm::for_each(op.getOperands(), add);
  operands = buffers.size();
  llvm::for_each(op.getResults(), add);
  pointers.resize(std::clamp<int64_t>(wanted / std::max<int64_t>(bytes(), 1), 1, 64));
  for (std::vector<void *> &set : pointers) {
    for (const Buffer &buffer : buffers)
      set.push_back(
          fill(buffer, uint32_t(set.size()) + 1, wholeLimit(op, buffer.type, sizes, 1000)));
    set.push_back(key);
  }
}

int64_t PlainMemory::bytes() const {
  int64_t sum = 0;
  for (const Buffer &buffer : buffers)
    sum += buffer.bytes;
  return sum;
}

void PlainMemory::spoilResults(size_t number) {
  for (size_t i = operands; i < buffers.size(); ++i)
    memset(set(number)[i], 0xff, buffers[i].bytes);
}

std::vector<std::vector<float>> PlainMemory::floats(size_t number) const {
  std::vector<std::vector<float>> all;
  for (size_t i = operands; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (!buffer.type.isFloat() || sharesScales(buffer.layout))
      continue;
    const void *at = set(number)[i];
    std::vector<float> &values = all.emplace_back();
    if (kernel::storageIn(buffer.layout))
      for (int64_t j = 0; j < buffer.bytes / 2; ++j)
        values.push_back(
            std::bit_cast<float>(uint32_t(static_cast<const uint16_t *>(at)[j]) << 16));
    else
      values.assign(static_cast<const float *>(at),
                    static_cast<const float *>(at) + buffer.bytes / 4);
  }
  return all;
}

char *PlainMemory::fill(const Buffer &buffer, uint32_t state, int64_t below) {
  constexpr int64_t line = 64;
  auto *at = static_cast<char *>(std::aligned_alloc(line, (buffer.bytes / line + 2) * line));
  memory.emplace_back(at);
  auto next = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  if (sharesScales(buffer.layout))
    memset(at, 0x3c, buffer.bytes); // as scales, a hundredth
  else if (kernel::storageIn(buffer.layout))
    for (int64_t i = 0; i < buffer.bytes / 2; ++i)
      reinterpret_cast<uint16_t *>(at)[i] =
          uint16_t(std::bit_cast<uint32_t>(float(next()) / (1 << 24) + 0.1f) >> 16);
  else if (buffer.type.isFloat())
    for (int64_t i = 0; i < buffer.bytes / 4; ++i)
      reinterpret_cast<float *>(at)[i] = float(next()) / (1 << 24) + 0.1f;
  else if (buffer.type.isBool())
    memset(at, 1, buffer.bytes);
  else
    for (int64_t i = 0; i < buffer.bytes / 4; ++i)
      reinterpret_cast<int32_t *>(at)[i] = int32_t(next() % below);
  return at;
}

} // namespace weft::trial
