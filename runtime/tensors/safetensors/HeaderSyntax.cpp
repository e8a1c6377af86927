// The events of a safetensors header: {"name": {"dtype": "F32", "shape": [..], "data_offsets":
// [begin, end]}, ..}.
#include "runtime/tensors/safetensors/HeaderSyntax.h"

using namespace weft::runtime;

static constexpr size_t mostDimensions = 32;

bool HeaderSyntax::refuse(const std::string &what) {
  bool inTensor = place == Place::Tensor || place == Place::Shape || place == Place::Offsets;
  if (problem.empty())
    problem =
        text("unexpected %s", what.c_str()) +
        (field.empty() ? "" : text(" at `%s`", printable(field).c_str())) +
        (inTensor && field != tensor.name ? text(" of tensor `%s`", printable(tensor.name).c_str())
                                          : "");
  return false;
}

bool HeaderSyntax::number_unsigned(number_unsigned_t value) {
  if (place == Place::Offsets) {
    offsets.push_back(value);
    return offsets.size() <= 2 || refuse("third offset");
  }
  if (place != Place::Shape)
    return refuse("number");
  if (tensor.shape.size() == mostDimensions)
    return refuse("33rd dimension");
  overflow = value > uint64_t(INT64_MAX);
  if (overflow)
    return refuse(text("size %llu", static_cast<unsigned long long>(value)));
  tensor.shape.push_back(static_cast<int64_t>(value));
  return true;
}

bool HeaderSyntax::string(string_t &value) {
  if (place == Place::Metadata) {
    header.metadata[field] = value;
    return true;
  }
  std::optional<ElementType> type = elementTypeNamed(value);
  if (place != Place::Tensor || field != "dtype")
    return refuse("text");
  if (!type)
    return refuse("element type " + value.substr(0, 20));
  tensor.type = *type;
  return hasType = true;
}

bool HeaderSyntax::start_object(std::size_t) {
  if (place == Place::Start) {
    place = Place::File;
    return true;
  }
  if (place != Place::File)
    return refuse("{");
  place = field == "__metadata__" ? Place::Metadata : Place::Tensor;
  tensor = {};
  tensor.name = field;
  offsets.clear();
  hasType = hasShape = hasOffsets = false;
  return true;
}

bool HeaderSyntax::key(string_t &value) {
  field = value;
  if (place == Place::File && !names.insert(value).second)
    return refuse("second entry");
  bool again = (value == "dtype" && hasType) || (value == "shape" && hasShape) ||
               (value == "data_offsets" && hasOffsets);
  bool known = value == "dtype" || value == "shape" || value == "data_offsets";
  return place != Place::Tensor || (known && !again) || refuse("field");
}

bool HeaderSyntax::end_object() {
  if (place == Place::Tensor) {
    field = tensor.name;
    if (!hasType || !hasShape || !hasOffsets || offsets.size() != 2)
      return refuse("end of a tensor without dtype, shape and two data_offsets");
    tensor.begin = offsets[0];
    tensor.end = offsets[1];
    header.tensors.push_back(std::move(tensor));
  }
  place = Place::File;
  return true;
}

bool HeaderSyntax::start_array(std::size_t) {
  if (place != Place::Tensor || (field != "shape" && field != "data_offsets"))
    return refuse("[");
  place = field == "shape" ? Place::Shape : Place::Offsets;
  return true;
}

bool HeaderSyntax::end_array() {
  (place == Place::Shape ? hasShape : hasOffsets) = true;
  place = Place::Tensor;
  return true;
}

bool HeaderSyntax::parse_error(std::size_t position, const std::string &,
                               const nlohmann::detail::exception &) {
  if (problem.empty())
    problem = text("not JSON at byte %zu", position);
  return false;
}
