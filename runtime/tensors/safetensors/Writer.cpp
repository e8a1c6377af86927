// safetensors out: length, JSON padded to 8 bytes, data.
#include "runtime/tensors/safetensors/Writer.h"

#include "runtime/base/Json.h"
#include "runtime/base/files/NewFile.h"
#include "runtime/tensors/Shape.h"

using namespace weft::runtime;

static int64_t byteCount(const TensorToWrite &tensor) {
  return countOf(tensor.shape) * static_cast<int64_t>(elementBytes(tensor.type()));
}

std::string weft::runtime::safetensorsHeader(const std::vector<TensorToWrite> &tensors,
                                             const std::map<std::string, std::string> &metadata) {
  std::string json = "{";
  for (const auto &[key, value] : metadata)
    json +=
        (json.size() > 1 ? "," : R"("__metadata__":{)") + jsonQuoted(key) + ":" + jsonQuoted(value);
  json += metadata.empty() ? "" : "}";
  int64_t offset = 0;
  for (const TensorToWrite &tensor : tensors) {
    int64_t end = offset + byteCount(tensor);
    json += (json.size() > 1 ? "," : "") + jsonQuoted(tensor.name) +
            text(R"(:{"dtype":"%s","shape":%s,"data_offsets":[%lld,%lld]})",
                 elementTypeName(tensor.type()), shapeText(tensor.shape).c_str(), wide(offset),
                 wide(end));
    offset = end;
  }
  json += "}";
  json.resize((json.size() + 7) / 8 * 8, ' ');
  const uint64_t length = json.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof length) + json;
}

Status weft::runtime::writeSafetensors(const std::string &path,
                                       const std::vector<TensorToWrite> &tensors,
                                       const std::map<std::string, std::string> &metadata) {
  Result<NewFile> file = NewFile::create(path);
  if (!file)
    return file.error();
  if (Status written = file->write(safetensorsHeader(tensors, metadata)); !written)
    return written;
  for (const TensorToWrite &tensor : tensors)
    if (Status written = file->write(tensor.data, static_cast<size_t>(byteCount(tensor))); !written)
      return written;
  return file->commit();
}
