// A safetensors file: its tensors by name, read when they are asked for.
#ifndef WEFT_RUNTIME_TENSORS_SAFETENSORS_READER_H
#define WEFT_RUNTIME_TENSORS_SAFETENSORS_READER_H

#include "runtime/base/files/InputFile.h"
#include "runtime/tensors/Shape.h"
#include "runtime/tensors/safetensors/Header.h"

#include <unordered_map>

namespace weft::runtime {

/// Reads `count` elements of a tensor of a file from element `first` on, converted as
/// ElementType.h's convert() does. Gives the position of the first that does not convert, or -1.
/// Errors: the file was cut short or changed.
Result<int64_t> readElements(const InputFile &file, const StoredTensor &tensor, int64_t first,
                             int64_t count, Element to, void *target);

/// The header of a safetensors file. Errors name the file and what is wrong with it.
Result<SafetensorsHeader> readHeaderOf(const InputFile &file);

class SafetensorsFile {
public:
  /// Errors name the file and what is wrong with it.
  static Result<SafetensorsFile> open(const std::string &path);

  const std::string &path() const { return file.path(); }
  const std::vector<StoredTensor> &tensors() const { return header.tensors; }
  const std::map<std::string, std::string> &metadata() const { return header.metadata; }
  const StoredTensor *find(const std::string &tensor) const;
  /// As readElements(); without a number, all of them.
  Result<int64_t> read(const StoredTensor &tensor, Element to, void *target) const {
    return readElements(file, tensor, 0, countOf(tensor.shape), to, target);
  }
  Result<int64_t> read(const StoredTensor &tensor, int64_t first, int64_t count, Element to,
                       void *target) const {
    return readElements(file, tensor, first, count, to, target);
  }
  /// All of it; tensors begin where their `begin` says.
  Result<MappedFile> map() const { return file.map(); }
  /// The bytes of a tensor as they are stored, a piece of it after the other.
  Status readBytes(const StoredTensor &tensor, uint64_t offset, std::span<std::byte> into) const {
    return file.read(tensor.begin + offset, into);
  }

private:
  SafetensorsFile(InputFile file, SafetensorsHeader header);
  InputFile file;
  SafetensorsHeader header;
  std::unordered_map<std::string, size_t> byName;
};

} // namespace weft::runtime
#endif
