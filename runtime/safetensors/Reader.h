// A safetensors file, mapped: its tensors by name.
#ifndef WEFT_RUNTIME_SAFETENSORS_READER_H
#define WEFT_RUNTIME_SAFETENSORS_READER_H

#include "runtime/files/MappedFile.h"
#include "runtime/safetensors/Header.h"
#include "runtime/sizes/Shape.h"

#include <unordered_map>

namespace weft::runtime {

class SafetensorsFile {
public:
  /// Errors name the file and what is wrong with it.
  static Result<SafetensorsFile> open(const std::string &path);

  const std::string &path() const { return name; }
  const std::vector<StoredTensor> &tensors() const { return header.tensors; }
  const std::map<std::string, std::string> &metadata() const { return header.metadata; }
  const StoredTensor *find(const std::string &tensor) const;
  /// The first byte of a tensor; not aligned to anything.
  const std::byte *data(const StoredTensor &tensor) const {
    return file.bytes().data() + tensor.begin;
  }

private:
  SafetensorsFile(std::string name, MappedFile file, SafetensorsHeader header);
  std::string name;
  MappedFile file;
  SafetensorsHeader header;
  std::unordered_map<std::string, size_t> byName;
};

} // namespace weft::runtime
#endif
