// The header of a safetensors file: which tensors it holds, and where. Trusts nothing.
#ifndef WEFT_RUNTIME_TENSORS_SAFETENSORS_HEADER_H
#define WEFT_RUNTIME_TENSORS_SAFETENSORS_HEADER_H

#include "runtime/tensors/ElementType.h"

#include <map>
#include <span>
#include <vector>

namespace weft::runtime {

struct StoredTensor {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape; // every size, and their product, is below 2^63
  uint64_t begin = 0,
           end = 0; // bytes from the start of the file; end - begin is product * element size
};

struct SafetensorsHeader {
  std::vector<StoredTensor>
      tensors; // in the order of their bytes; these follow each other without gap or overlap
  std::map<std::string, std::string> metadata;
};

/// What can be wrong, in the words of the format's reference implementation.
enum class HeaderFault {
  HeaderTooSmall,               // fewer than 8 bytes
  HeaderTooLarge,               // a header of more than 100 MB
  InvalidHeaderLength,          // a header longer than the file
  InvalidHeader,                // not UTF-8
  InvalidHeaderDeserialization, // not JSON, or not the JSON of a header
  InvalidOffset,                // tensors overlap, leave a gap, or end before they begin
  ValidationOverflow,           // a size that no file can have
  TensorInvalidInfo,            // shape and bytes disagree
  MetadataIncompleteBuffer      // the tensors end before or after the file does
};
const char *headerFaultName(HeaderFault fault);

struct HeaderError {
  HeaderFault fault;
  std::string message; // without the file's name
};

/// How many bytes of a file of `size` bytes its header takes, of which `start` has the first 8 (or
/// all, where there are fewer).
Result<uint64_t, HeaderError> headerBytes(std::span<const std::byte> start, uint64_t size);

/// Reads and checks the header of a file of `size` bytes that begins with `start`, which has all of
/// headerBytes(). Format: https://github.com/huggingface/safetensors (8 bytes of length, JSON,
/// data).
Result<SafetensorsHeader, HeaderError> readHeader(std::span<const std::byte> start, uint64_t size);

/// The same of a whole file in memory.
inline Result<SafetensorsHeader, HeaderError> readHeader(std::span<const std::byte> file) {
  return readHeader(file, file.size());
}

} // namespace weft::runtime
#endif
