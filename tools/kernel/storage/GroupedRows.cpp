// Which elements of a row share a scale, and where scale and numbers lie.
#include "tools/kernel/storage/GroupedRows.h"

#include "ir/model/weights/GroupedRow.h"
#include "ir/model/weights/WeightGroups.h"

#include <bit>
#include <cassert>
#include <cstring>

using namespace mlir;

namespace weft::trial {

namespace grouped = model::grouped;
namespace groups = model::groups;
constexpr auto format = model::WeightFormat::int8;

GroupedRows::GroupedRows(kernel::LayoutAttr layout, llvm::ArrayRef<std::string> dims,
                         llvm::ArrayRef<int64_t> shape) {
  for (auto [number, dim] : llvm::enumerate(dims))
    if (layout.stride(model::DimAttr::get(layout.getContext(), dim)) == Size::number(1)) {
      rowLength = shape[number];
      for (int64_t inner : shape.drop_front(number + 1))
        rowStep *= inner;
    }
  assert(rowLength % grouped::length == 0 && "the kernel that writes rows has checked them");
}

void GroupedRows::round(llvm::MutableArrayRef<double> values) const {
  const auto count = int64_t(values.size()), rowSpan = rowLength * rowStep;
  for (int64_t begin = 0; begin < count; begin += rowSpan)
    for (int64_t first = 0; first < rowStep; ++first)
      for (int64_t column = 0; column < rowLength; column += grouped::length) {
        auto at = [&](int64_t i) -> double & {
          return values[begin + first + (column + i) * rowStep];
        };
        std::vector<float> group;
        for (int64_t i = 0; i < grouped::length; ++i)
          group.push_back(float(at(i)));
        float scale = groups::scaleOf(group, format);
        for (int64_t i = 0; i < grouped::length; ++i)
          at(i) = groups::valueOf(groups::numberOf(group[i], scale, format), scale);
      }
}

void GroupedRows::encode(llvm::ArrayRef<double> values, llvm::ArrayRef<int64_t> places,
                         char *memory) {
  llvm::DenseMap<int64_t, std::vector<float>> all; // by group
  for (auto [value, place] : llvm::zip_equal(values, places)) {
    std::vector<float> &group = all[place / grouped::length];
    group.resize(grouped::length);
    group[place % grouped::length] = float(value);
  }
  for (auto &[number, group] : all) {
    char *at = memory + number * grouped::bytes;
    float scale = groups::scaleOf(group, format);
    for (auto [i, value] : llvm::enumerate(group))
      at[i] = char(groups::numberOf(value, scale, format));
    auto upper = uint16_t(std::bit_cast<uint32_t>(scale) >> 16);
    memcpy(at + grouped::scaleAt, &upper, sizeof upper);
  }
}

double GroupedRows::decode(const char *memory, int64_t place) {
  const char *at = memory + place / grouped::length * grouped::bytes;
  uint16_t upper = 0;
  memcpy(&upper, at + grouped::scaleAt, sizeof upper);
  return groups::valueOf(int8_t(at[place % grouped::length]),
                         std::bit_cast<float>(uint32_t(upper) << 16));
}

} // namespace weft::trial
