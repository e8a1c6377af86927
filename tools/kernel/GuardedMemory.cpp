// Memory that kernels on trial are given: poison, guards, and the places of elements.
#include "tools/kernel/GuardedMemory.h"

#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Bfloat16.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace weft::trial {

constexpr int64_t guard = 64; // bytes

// 0x7fc1a5a5 is a NaN, an unlikely whole number, and bytes that are no switch.
static void poison(std::vector<char> &bytes) {
  const char pattern[] = {char(0xa5), char(0xa5), char(0xc1), char(0x7f)};
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = pattern[i % 4];
}

GuardedTensor::GuardedTensor(mlir::Attribute layout, mlir::Type element, const Tensor &shape,
                             const Sizes &sizes, int64_t alignment)
    : shape(shape), isFloat(element.isF32()) {
  auto panels = dyn_cast<kernel::PanelsAttr>(layout);
  if (kernel::weightFormatOf(layout))
    groups.emplace(panels, shape.dims, shape.shape);
  else
    width = kernel::storageIn(layout) ? 2 : element.isInteger(1) ? 1 : 4;
  inRows = isGroupedRows(layout);
  int64_t end = 0;
  if (groups) {
    end = groups->bytes();
  } else if (panels) {
    end = placeInPanels(panels, sizes);
  } else {
    placeStrided(cast<kernel::LayoutAttr>(layout), sizes);
    for (int64_t place : places)
      end = std::max(end, place + 1);
  }
  constexpr int64_t most = 256; // that any machine asks for
  length = inRows ? model::bytesOf(model::StorageType::grouped, end) : end * width;
  bytes.resize(2 * guard + most + length);
  poison(bytes);
  int64_t low = reinterpret_cast<intptr_t>(bytes.data()) + guard;
  start = guard + (alignment - low % most + most) % most;
}

void *GuardedTensor::address() {
  return bytes.data() + start;
}

template <class Body> void GuardedTensor::each(Body body) {
  for (size_t i = 0; i < places.size(); ++i)
    body(i, bytes.data() + start + places[i] * width);
}

void GuardedTensor::put(const Tensor &tensor) {
  if (groups)
    return groups->encode(tensor.data, bytes.data() + start);
  if (inRows)
    return GroupedRows::encode(tensor.data, places, bytes.data() + start);
  for (int64_t place : padding)
    memset(bytes.data() + start + place * width, 0, width);
  each([&](size_t i, char *at) {
    if (isFloat) {
      float x = float(width == 2 ? model::roundedToBfloat16(tensor.data[i]) : tensor.data[i]);
      auto upper = uint16_t(std::bit_cast<uint32_t>(x) >> 16);
      width == 2 ? memcpy(at, &upper, 2) : memcpy(at, &x, 4);
    } else if (width == 1) {
      *at = char(tensor.data[i] != 0);
    } else {
      int32_t x = int32_t(tensor.data[i]);
      memcpy(at, &x, 4);
    }
  });
}

Tensor GuardedTensor::get() {
  Tensor result = shape;
  if (groups) {
    groups->decode(bytes.data() + start, result.data);
    return result;
  }
  if (inRows) {
    for (auto [value, place] : llvm::zip_equal(result.data, places))
      value = GroupedRows::decode(bytes.data() + start, place);
    return result;
  }
  each([&](size_t i, const char *at) {
    if (isFloat) {
      uint32_t bits = 0; // of a bfloat16 the upper half
      memcpy(reinterpret_cast<char *>(&bits) + 4 - width, at, width);
      result.data[i] = std::bit_cast<float>(bits);
    } else if (width == 1) {
      result.data[i] = *at;
    } else {
      int32_t x;
      memcpy(&x, at, 4);
      result.data[i] = x;
    }
  });
  return result;
}

bool GuardedTensor::guarded() {
  std::vector<char> clean(bytes.size());
  poison(clean);
  std::vector<char> now = bytes;
  auto restore = [&](int64_t from, int64_t count) {
    memcpy(now.data() + start + from, clean.data() + start + from, size_t(count));
  };
  for (int64_t place : places)
    if (inRows)
      restore(place / model::grouped::length * model::grouped::bytes, model::grouped::bytes);
    else
      restore(place * width, width);
  for (int64_t place : padding)
    restore(place * width, width);
  if (groups) // all of it is theirs
    restore(0, length);
  return now == clean;
}

bool GuardedTensor::padded() const {
  if (groups)
    return groups->padded(bytes.data() + start);
  return std::ranges::all_of(padding, [&](int64_t place) {
    uint32_t bits = 0;
    memcpy(&bits, bytes.data() + start + place * width, width);
    return bits << 1 == 0; // either zero
  });
}

void GuardedTensor::placeStrided(kernel::LayoutAttr layout, const Sizes &sizes) {
  places = {0};
  for (const std::string &dim : shape.dims) {
    std::optional<Size> stride = layout.stride(model::DimAttr::get(layout.getContext(), dim));
    int64_t step =
        stride ? *stride->evaluate([&](const std::string &name) { return sizes.at(name); }) : 0;
    int64_t size = sizes.at(dim);
    std::vector<int64_t> finer;
    finer.reserve(places.size() * size);
    for (int64_t place : places)
      for (int64_t i = 0; i < size; ++i)
        finer.push_back(place + i * step);
    places = std::move(finer);
  }
}

int64_t GuardedTensor::placeInPanels(kernel::PanelsAttr panels, const Sizes &sizes) {
  auto countOf = [&](llvm::ArrayRef<model::DimAttr> dims) {
    int64_t count = 1;
    for (model::DimAttr dim : dims)
      count *= sizes.at(dim.str());
    return count;
  };
  // From one position of `dim` to the next, among all of `dims`.
  auto stepOf = [&](llvm::ArrayRef<model::DimAttr> dims, const std::string &dim) {
    int64_t step = 0;
    for (model::DimAttr each : dims)
      step = each.str() == dim ? 1 : step * sizes.at(each.str());
    return step;
  };
  struct At {
    int64_t batch, row, column;
  };
  std::vector<At> all{{0, 0, 0}};
  for (const std::string &dim : shape.dims) {
    At step{stepOf(panels.getBatch(), dim), stepOf(panels.getRows(), dim),
            stepOf(panels.getColumns(), dim)};
    int64_t size = sizes.at(dim);
    std::vector<At> finer;
    finer.reserve(all.size() * size);
    for (const At &at : all)
      for (int64_t i = 0; i < size; ++i)
        finer.push_back(
            {at.batch + i * step.batch, at.row + i * step.row, at.column + i * step.column});
    all = std::move(finer);
  }
  int64_t rows = countOf(panels.getRows()), columns = countOf(panels.getColumns());
  int64_t width = panels.getWidth(), perBatch = (columns + width - 1) / width;
  int64_t panelSize = kernel::storedRows(panels, rows) * width;
  int64_t count = countOf(panels.getBatch()) * perBatch * panelSize;
  std::vector<bool> taken(count);
  places.reserve(all.size());
  for (const At &at : all) {
    int64_t panel = at.batch * perBatch + at.column / width;
    places.push_back(panel * panelSize +
                     kernel::placeInPanel(panels, at.row, at.column % width, width));
    taken[places.back()] = true;
  }
  for (int64_t place = 0; place < count; ++place)
    if (!taken[place])
      padding.push_back(place);
  return count;
}

GuardedScratch::GuardedScratch(int64_t size) : size(size), bytes(size + 3 * guard, char(0xff)) {}

char *GuardedScratch::address() {
  return reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(bytes.data()) + 2 * guard - 1) /
                                  guard * guard);
}

bool GuardedScratch::guarded() {
  const char *begin = address(), *end = begin + size;
  return std::ranges::all_of(bytes, [&](const char &byte) {
    return (&byte >= begin && &byte < end) || byte == char(0xff);
  });
}

bool isRoundedTo(mlir::Attribute layout, const Tensor &got, Tensor want) {
  if (auto rows = dyn_cast<kernel::LayoutAttr>(layout))
    GroupedRows(rows, want.dims, want.shape).round(want.data);
  else
    GroupedWeights(cast<kernel::PanelsAttr>(layout), want.dims, want.shape).round(want.data);
  return got.dims == want.dims && got.shape == want.shape &&
         llvm::all_of_zip(got.data, want.data, [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

} // namespace weft::trial
