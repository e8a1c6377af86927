// The memory of parameters, their initial values, and writing them.
#include "runtime/model/Parameters.h"

#include "runtime/model/InitialValues.h"
#include "runtime/model/Slices.h"

#include <algorithm>

using namespace weft::runtime;

Result<Parameters> Parameters::create(const Facts &facts) {
  Parameters created;
  created.facts = &facts;
  for (const Parameter &parameter : facts.parameters) {
    int64_t bytes = bytesOf(parameter.element);
    for (int64_t size : stackedShape(facts, parameter))
      if (__builtin_mul_overflow(bytes, size, &bytes))
        return Error{Code::Memory,
                     text("parameter `%s` is too large for any machine", parameter.name.c_str())};
    Result<Block> block = Block::create(bytes, text("parameter `%s`", parameter.name.c_str()),
                                        "this model is too large for this machine");
    if (!block)
      return block.error();
    created.starts.push_back(block->data());
    created.blocks.push_back(std::move(*block));
  }
  return created;
}

void Parameters::adopt(char *start, const std::vector<int64_t> &offsets, const Kinds &kinds) {
  for (size_t i = 0; i < starts.size(); ++i)
    if (kinds(facts->parameters[i].kind)) {
      blocks[i] = Block();
      starts[i] = start + offsets[i];
    }
  changed();
}

static void fillConstant(const Parameter &parameter, void *values, int64_t count) {
  if (parameter.element == Element::Float)
    std::fill_n(static_cast<float *>(values), count, static_cast<float>(parameter.value));
  else if (parameter.element == Element::Int)
    std::fill_n(static_cast<int32_t *>(values), count, static_cast<int32_t>(parameter.value));
  else
    std::fill_n(static_cast<char *>(values), count, static_cast<char>(parameter.value != 0));
}

void Parameters::initialize(uint64_t seed, const Kinds &kinds) {
  for (size_t i = 0; i < starts.size(); ++i) {
    const Parameter &parameter = facts->parameters[i];
    if (!kinds(parameter.kind))
      continue;
    if (parameter.initial == InitialValue::Constant || parameter.element != Element::Float) {
      fillConstant(parameter, starts[i], elementCount(*facts, parameter));
      continue;
    }
    auto fill = parameter.initial == InitialValue::Normal            ? fillNormal
                : parameter.initial == InitialValue::TruncatedNormal ? fillTruncatedNormal
                                                                     : fillUniform;
    for (const Slice &slice : slicesOf(*facts, parameter))
      fill(static_cast<float *>(starts[i]) + slice.offset, slice.count, parameter.value, seed,
           slice.name);
  }
  changed();
}

void weft::runtime::addSlices(const Facts &facts, const Parameter &parameter, const void *values,
                              std::vector<TensorToWrite> &tensors) {
  std::vector<int64_t> shape = sliceShape(facts, parameter);
  for (const Slice &slice : slicesOf(facts, parameter))
    tensors.push_back(
        {slice.name, parameter.element, shape,
         static_cast<const char *>(values) + slice.offset * bytesOf(parameter.element)});
}

Status Parameters::save(const std::string &path, const Kinds &kinds) const {
  std::vector<TensorToWrite> tensors;
  for (size_t i = 0; i < starts.size(); ++i)
    if (kinds(facts->parameters[i].kind))
      addSlices(*facts, facts->parameters[i], starts[i], tensors);
  return writeSafetensors(path, tensors);
}
