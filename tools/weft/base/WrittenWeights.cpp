// Weights that are made in the file that they are written to.
#include "tools/weft/base/WrittenWeights.h"

#include "runtime/model/Slices.h"

namespace weft {

runtime::Result<WrittenWeights> WrittenWeights::create(Weights &weights, const std::string &path) {
  const runtime::Facts &facts = *weights.facts;
  std::vector<runtime::TensorToWrite> tensors;
  std::vector<int64_t> offsets(facts.parameters.size(), -1);
  int64_t bytes = 0;
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const runtime::Parameter &parameter = facts.parameters[i];
    if (!runtime::isWeight(parameter.kind))
      continue;
    offsets[i] = bytes;
    runtime::addSlices(facts, parameter, weights.parameters->data(int(i)), tensors);
    bytes += runtime::elementCount(facts, parameter) * runtime::bytesOf(parameter.element);
  }
  runtime::Result<runtime::NewFile> file = runtime::NewFile::create(path);
  if (!file)
    return file.error();
  WrittenWeights written(std::move(*file));
  if (runtime::Status status = written.file.write(runtime::safetensorsHeader(tensors)); !status)
    return status.error();
  runtime::Result<char *> room = written.file.room(size_t(bytes));
  if (!room)
    return room.error();
  if (*room)
    weights.parameters->adopt(*room, offsets, runtime::isWeight);
  else
    written.left = std::move(tensors);
  return written;
}

runtime::Status WrittenWeights::commit() {
  for (const runtime::TensorToWrite &tensor : left) {
    auto bytes = runtime::countOf(tensor.shape) * int64_t(runtime::elementBytes(tensor.type()));
    if (runtime::Status status = file.write(tensor.data, size_t(bytes)); !status)
      return status;
  }
  return file.commit();
}

} // namespace weft
