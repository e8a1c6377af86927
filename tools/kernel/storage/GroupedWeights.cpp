// Which weights share a scale, and where scale and numbers lie.
#include "tools/kernel/storage/GroupedWeights.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace weft::trial {

namespace groups = model::groups;

namespace {
/// One column of a group in memory.
struct Column {
  model::WeightFormat format;
  int64_t width, column;

  int64_t scaleAt() const { return column * groups::scaleBytes; }
  /// The byte that a number is in, and how many bits are below it.
  std::pair<int64_t, int> numberAt(int64_t row) const {
    int64_t begin = width * groups::scaleBytes;
    if (format == model::WeightFormat::int8)
      return {begin + row * width + column, 0};
    int64_t word = begin + (row / 8 * width + column) * 4;
    return {word + row % 8 / 2, row % 2 * 4};
  }
  void write(char *group, float scale) const {
    auto upper = uint16_t(std::bit_cast<uint32_t>(scale) >> 16);
    memcpy(group + scaleAt(), &upper, sizeof upper);
  }
  void write(char *group, int64_t row, int number) const {
    auto [byte, low] = numberAt(row);
    int mask = format == model::WeightFormat::int8 ? 0xff : 0xf;
    group[byte] = char((group[byte] & ~(mask << low)) | ((number & mask) << low));
  }
  float scale(const char *group) const {
    uint16_t upper;
    memcpy(&upper, group + scaleAt(), sizeof upper);
    return std::bit_cast<float>(uint32_t(upper) << 16);
  }
  int number(const char *group, int64_t row) const {
    auto [byte, low] = numberAt(row);
    int bits = uint8_t(group[byte]) >> low;
    if (format == model::WeightFormat::int8)
      return int8_t(bits);
    return (bits & 0xf) - ((bits & 8) << 1);
  }
};
} // namespace

GroupedWeights::GroupedWeights(kernel::PanelsAttr panels, llvm::ArrayRef<std::string> dims,
                               llvm::ArrayRef<int64_t> shape)
    : panels(panels), format(*kernel::weightFormatOf(panels)), dims(dims), shape(shape),
      groupBytes(groups::bytes(format, panels.getWidth())),
      groupCount(groups::groupsOf(int64_t(offsets(panels.getRows()).size()))),
      panelCount((int64_t(offsets(panels.getColumns()).size()) + panels.getWidth() - 1) /
                 panels.getWidth()) {}

int64_t GroupedWeights::bytes() const {
  return int64_t(offsets(panels.getBatch()).size()) * panelCount * groupCount * groupBytes;
}

/// Of all positions along some dimensions, row-major.
std::vector<int64_t> GroupedWeights::offsets(llvm::ArrayRef<model::DimAttr> along) const {
  std::vector<int64_t> result{0};
  for (model::DimAttr dim : along) {
    size_t number = llvm::find(dims, dim.str()) - dims.begin();
    int64_t stride = 1;
    for (size_t later = number + 1; later < shape.size(); ++later)
      stride *= shape[later];
    std::vector<int64_t> finer;
    for (int64_t offset : result)
      for (int64_t i = 0; i < shape[number]; ++i)
        finer.push_back(offset + i * stride);
    result = std::move(finer);
  }
  return result;
}

void GroupedWeights::forEach(llvm::function_ref<void(const Group &)> body) const {
  std::vector<int64_t> batch = offsets(panels.getBatch()), rows = offsets(panels.getRows()),
                       columns = offsets(panels.getColumns());
  int64_t width = panels.getWidth();
  for (size_t position = 0; position < batch.size(); ++position)
    for (int64_t column = 0; column < int64_t(columns.size()); ++column)
      for (int64_t number = 0; number < groupCount; ++number) {
        int64_t panel = int64_t(position) * panelCount + column / width;
        Group group{panel * groupCount + number, column % width, {}};
        int64_t end = std::min<int64_t>((number + 1) * groups::length, int64_t(rows.size()));
        for (int64_t row = number * groups::length; row < end; ++row)
          group.places.push_back(batch[position] + columns[column] + rows[row]);
        body(group);
      }
}

static std::vector<float> weightsAt(llvm::ArrayRef<double> values,
                                    const std::vector<int64_t> &places) {
  std::vector<float> weights;
  for (int64_t place : places)
    weights.push_back(float(values[place]));
  return weights;
}

void GroupedWeights::round(llvm::MutableArrayRef<double> values,
                           llvm::function_ref<double()> draw) const {
  forEach([&](const Group &group) {
    std::vector<float> weights = weightsAt(values, group.places);
    float scale = groups::scaleOf(weights, format);
    for (auto [place, weight] : llvm::zip(group.places, weights))
      values[place] = draw ? weight + 0.5 * scale * draw()
                           : groups::valueOf(groups::numberOf(weight, scale, format), scale);
  });
}

void GroupedWeights::encode(llvm::ArrayRef<double> values, char *memory) const {
  memset(memory, 0, size_t(bytes()));
  forEach([&](const Group &group) {
    Column column{format, panels.getWidth(), group.column};
    char *at = memory + group.number * groupBytes;
    std::vector<float> weights = weightsAt(values, group.places);
    float scale = groups::scaleOf(weights, format);
    column.write(at, scale);
    for (auto [row, weight] : llvm::enumerate(weights))
      column.write(at, int64_t(row), groups::numberOf(weight, scale, format));
  });
}

void GroupedWeights::decode(const char *memory, llvm::MutableArrayRef<double> values) const {
  forEach([&](const Group &group) {
    Column column{format, panels.getWidth(), group.column};
    const char *at = memory + group.number * groupBytes;
    for (auto [row, place] : llvm::enumerate(group.places))
      values[place] = groups::valueOf(column.number(at, int64_t(row)), column.scale(at));
  });
}

bool GroupedWeights::padded(const char *memory) const {
  std::vector<char> rest(memory, memory + bytes());
  forEach([&](const Group &group) {
    Column column{format, panels.getWidth(), group.column};
    char *at = rest.data() + group.number * groupBytes;
    column.write(at, 0.0f);
    for (size_t row = 0; row < group.places.size(); ++row)
      column.write(at, int64_t(row), 0);
  });
  return llvm::all_of(rest, [](char each) { return each == 0; });
}

} // namespace weft::trial
