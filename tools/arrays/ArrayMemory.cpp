// One case for each type of element.
#include "tools/arrays/ArrayMemory.h"

#include <algorithm>

namespace weft {

using reference::Array;
using runtime::Element;

Array loadArray(const std::vector<int64_t> &shape, Element element, const void *memory) {
  Array array;
  array.shape.assign(shape.begin(), shape.end());
  int64_t count = reference::countOf(array.shape);
  auto take = [&]<class Values>(Values values, auto *stored) {
    values.assign(stored, stored + count);
    array.data = std::move(values);
  };
  if (element == Element::Float)
    take(reference::Floats(), static_cast<const float *>(memory));
  else if (element == Element::BFloat16) {
    reference::Floats values(count);
    std::transform(static_cast<const uint16_t *>(memory),
                   static_cast<const uint16_t *>(memory) + count, values.begin(), runtime::widened);
    array.data = std::move(values);
  } else if (element == Element::GroupedInt8) {
    reference::Floats values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(runtime::grouped::valueAt(memory, i));
    array.data = std::move(values);
  } else if (element == Element::Int)
    take(reference::Wholes(), static_cast<const int32_t *>(memory));
  else
    take(reference::Switches(), static_cast<const uint8_t *>(memory));
  return array;
}

void storeArray(const Array &array, Element element, void *memory) {
  if (auto *floats = std::get_if<reference::Floats>(&array.data);
      floats && element == Element::GroupedInt8) {
    std::vector<float> values(floats->begin(), floats->end());
    return runtime::grouped::store(values.data(), int64_t(values.size()), memory);
  }
  std::visit(
      [&](const auto &values) {
        for (size_t i = 0; i < values.size(); ++i)
          if (element == Element::Float)
            static_cast<float *>(memory)[i] = static_cast<float>(values[i]);
          else if (element == Element::BFloat16)
            static_cast<uint16_t *>(memory)[i] = runtime::narrowed(static_cast<float>(values[i]));
          else if (element == Element::Int)
            static_cast<int32_t *>(memory)[i] = static_cast<int32_t>(values[i]);
          else
            static_cast<uint8_t *>(memory)[i] = values[i] != 0;
      },
      array.data);
}

} // namespace weft
