// Opening safetensors files.
#include "runtime/safetensors/Reader.h"

using namespace weft::runtime;

SafetensorsFile::SafetensorsFile(std::string name_, MappedFile file_, SafetensorsHeader header_)
    : name(std::move(name_)), file(std::move(file_)), header(std::move(header_)) {
  for (size_t i = 0; i < header.tensors.size(); ++i)
    byName.emplace(header.tensors[i].name, i);
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  Result<SafetensorsHeader, HeaderError> header = readHeader(file->bytes());
  if (!header)
    return Error{Code::File, path + ": " + header.error().message};
  return SafetensorsFile(path, std::move(*file), std::move(*header));
}

const StoredTensor *SafetensorsFile::find(const std::string &tensor) const {
  auto found = byName.find(tensor);
  return found == byName.end() ? nullptr : &header.tensors[found->second];
}
