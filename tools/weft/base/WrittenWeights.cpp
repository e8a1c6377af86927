// Weights that are made in the file that they are written to.
#include "tools/weft/base/WrittenWeights.h"

#include "runtime/model/Slices.h"

#include <cstring>

namespace weft {

runtime::Result<WrittenWeights> WrittenWeights::create(Weights &weights, const std::string &path) {
  const runtime::Facts &facts = *weights.facts;
  std::vector<runtime::TensorToWrite> tensors;
  std::vector<Part> parts;
  size_t bytes = 0;
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const runtime::Parameter &parameter = facts.parameters[i];
    if (!runtime::isWeight(parameter.kind))
      continue;
    auto *values = static_cast<const char *>(weights.parameters->data(int(i)));
    runtime::addSlices(facts, parameter, values, tensors);
    size_t size = size_t(runtime::elementCount(facts, parameter)) *
                  size_t(runtime::bytesOf(parameter.element));
    parts.push_back({int(i), values, bytes, size});
    bytes += size;
  }
  runtime::Result<runtime::NewFile> file = runtime::NewFile::create(path);
  if (!file)
    return file.error();
  WrittenWeights written(std::move(*file));
  if (runtime::Status status = written.file.write(runtime::safetensorsHeader(tensors)); !status)
    return status.error();
  runtime::Result<char *> room = written.file.room(bytes);
  if (!room)
    return room.error();
  written.room = *room;
  auto lies = [&](const Part &part) { // behind switches, which are bytes, numbers may lie anywhere
    auto element = size_t(runtime::bytesOf(facts.parameters[part.parameter].element));
    return written.room && reinterpret_cast<uintptr_t>(written.room + part.offset) % element == 0;
  };
  for (const Part &part : parts)
    if (lies(part))
      weights.parameters->adopt(part.parameter, written.room + part.offset);
    else
      written.left.push_back(part);
  weights.parameters->changed();
  return written;
}

runtime::Status WrittenWeights::commit() {
  for (const Part &part : left)
    if (room)
      memcpy(room + part.offset, part.values, part.bytes);
    else if (runtime::Status status = file.write(part.values, part.bytes); !status)
      return status;
  return file.commit();
}

} // namespace weft
