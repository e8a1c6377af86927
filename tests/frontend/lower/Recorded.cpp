// Reads recorded tensors and compares.
#include "Recorded.h"

#include "runtime/tensors/safetensors/Reader.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace weft::test {

using reference::Array;
using reference::Floats;
using reference::Switches;
using reference::Wholes;

namespace {

template <class Stored, class Kept>
std::vector<Kept> elements(const std::byte *data, size_t count) {
  std::vector<Kept> out(count);
  for (size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, data + i * sizeof value, sizeof value);
    out[i] = static_cast<Kept>(value);
  }
  return out;
}

Array arrayOf(const runtime::StoredTensor &tensor, const std::byte *data) {
  Array array;
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  size_t count = reference::countOf(array.shape);
  switch (tensor.type) {
  case runtime::ElementType::F32:
    array.data = elements<float, double>(data, count);
    break;
  case runtime::ElementType::F64:
    array.data = elements<double, double>(data, count);
    break;
  case runtime::ElementType::I32:
    array.data = elements<int32_t, int64_t>(data, count);
    break;
  case runtime::ElementType::I64:
    array.data = elements<int64_t, int64_t>(data, count);
    break;
  case runtime::ElementType::U8:
    array.data = elements<uint8_t, int64_t>(data, count);
    break;
  case runtime::ElementType::Bool:
    array.data = elements<uint8_t, uint8_t>(data, count);
    break;
  default:
    throw std::runtime_error("unexpected element type of " + tensor.name);
  }
  return array;
}

} // namespace

Tensors readTensors(const std::filesystem::path &path) {
  auto file = runtime::SafetensorsFile::open(path.string());
  if (!file)
    throw std::runtime_error(path.string() + " cannot be read");
  Tensors tensors;
  for (const runtime::StoredTensor &tensor : file->tensors()) {
    std::vector<std::byte> bytes(tensor.end - tensor.begin);
    if (!file->readBytes(tensor, 0, bytes))
      throw std::runtime_error(path.string() + " cannot be read");
    tensors[tensor.name] = arrayOf(tensor, bytes.data());
  }
  return tensors;
}

Array asFloats(const Array &array) {
  Array out{array.shape, {}};
  std::visit([&](const auto &data) { out.data = Floats(data.begin(), data.end()); }, array.data);
  return out;
}

Array asElements(const Array &array, const Array &like) {
  Array out{array.shape, {}};
  std::visit(
      [&](const auto &data) {
        std::visit(
            [&](const auto &wanted) {
              out.data = std::decay_t<decltype(wanted)>(data.begin(), data.end());
            },
            like.data);
      },
      array.data);
  return out;
}

double difference(const Array &found, const Array &expected, double least) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Floats a = asFloats(found).floats(), b = asFloats(expected).floats();
  if (a.size() != b.size())
    return infinity;
  double largest = least, most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i]) || (std::isinf(b[i]) && a[i] != b[i]))
      return infinity;
    if (std::isnan(b[i]) || std::isinf(b[i]))
      continue;
    largest = std::max(largest, std::abs(b[i]));
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most == 0 ? 0 : most / largest; // equal, be it that all is 0
}

Array stacked(const std::vector<Array> &parts) {
  Array all;
  Floats values;
  for (const Array &part : parts) {
    Floats more = asFloats(part).floats();
    values.insert(values.end(), more.begin(), more.end());
  }
  all.shape = parts.front().shape;
  all.shape.insert(all.shape.begin(), parts.size());
  all.data = std::move(values);
  return all;
}

} // namespace weft::test
