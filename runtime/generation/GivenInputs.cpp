// Finding and reading the further inputs of a decoding.
#include "runtime/generation/GivenInputs.h"

#include "runtime/tensors/safetensors/Reader.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

std::vector<Argument> weft::runtime::givenInputsOf(const Facts &facts, const Decoding &decoding) {
  std::vector<Argument> inputs;
  for (int number : {decoding.begin, decoding.advance}) {
    if (number < 0)
      continue;
    for (const Argument &input : facts.entries[number].inputs)
      if (!input.cache && input.name != decoding.argument && argumentNamed(inputs, input.name) < 0)
        inputs.push_back(input);
  }
  return inputs;
}

Result<GivenInputs> weft::runtime::readGivenInputs(const Facts &facts, const Decoding &decoding,
                                                   const std::string &path) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  std::vector<Argument> inputs = givenInputsOf(facts, decoding);
  for (const StoredTensor &tensor : file->tensors())
    if (argumentNamed(inputs, tensor.name) < 0)
      return Error{Code::Name, text("%s: has `%s`, which %s does not take", path.c_str(),
                                    tensor.name.c_str(), decoding.name.c_str())};
  GivenInputs given;
  for (const Argument &input : inputs) {
    const StoredTensor *tensor = file->find(input.name);
    if (!tensor)
      return Error{Code::Name,
                   text("%s: lacks `%s` %s, an input of %s", path.c_str(), input.name.c_str(),
                        facts.dimNames(input.dims).c_str(), decoding.name.c_str())};
    if (!converts(tensor->type, input.element) || tensor->shape.size() != input.dims.size())
      return Error{tensor->shape.size() == input.dims.size() ? Code::Type : Code::Size,
                   text("%s: tensor `%s` is %s %s, expected %s %s", path.c_str(),
                        input.name.c_str(), elementTypeName(tensor->type),
                        shapeText(tensor->shape).c_str(), elementName(input.element),
                        facts.dimNames(input.dims).c_str())};
    int64_t count = countOf(tensor->shape);
    GivenInput &into = given[input.name];
    into.shape = tensor->shape;
    into.data.resize(static_cast<size_t>(count * bytesOf(input.element)));
    Result<int64_t> bad = file->read(*tensor, input.element, into.data.data());
    if (!bad)
      return bad.error();
    if (*bad >= 0)
      return Error{Code::Value,
                   text("%s: tensor `%s` holds a value that %s cannot hold, at %s", path.c_str(),
                        input.name.c_str(), input.element == Element::Int ? "int32" : "bool",
                        positionText(tensor->shape, *bad).c_str())};
  }
  return given;
}

void weft::runtime::repeatRows(GivenInput &value, const Argument &input, int dimension,
                               int64_t times) {
  auto at = static_cast<size_t>(std::find(input.dims.begin(), input.dims.end(), dimension) -
                                input.dims.begin());
  if (at == input.dims.size() || times == 1)
    return;
  size_t inner = static_cast<size_t>(bytesOf(input.element));
  for (size_t i = at + 1; i < value.shape.size(); ++i)
    inner *= static_cast<size_t>(value.shape[i]);
  std::vector<char> repeated;
  for (size_t begin = 0; begin < value.data.size(); begin += inner)
    for (int64_t i = 0; i < times; ++i)
      repeated.insert(repeated.end(), value.data.begin() + static_cast<int64_t>(begin),
                      value.data.begin() + static_cast<int64_t>(begin + inner));
  value.data = std::move(repeated);
  value.shape[at] *= times;
}

GivenInput weft::runtime::wholeNumbers(std::vector<int64_t> shape,
                                       const std::vector<int32_t> &values) {
  GivenInput input{std::move(shape), std::vector<char>(values.size() * sizeof(int32_t))};
  memcpy(input.data.data(), values.data(), input.data.size());
  return input;
}
