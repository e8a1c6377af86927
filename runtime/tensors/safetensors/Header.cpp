// Reading a safetensors header: length, encoding, syntax, and that the tensors fill the file
// exactly.
#include "runtime/tensors/safetensors/Header.h"

#include "runtime/base/Utf8.h"
#include "runtime/tensors/safetensors/HeaderSyntax.h"

#include <algorithm>
#include <cstring>
#include <tuple>

using namespace weft::runtime;

static constexpr uint64_t mostHeaderBytes =
    100'000'000; // the limit of the reference implementation

const char *weft::runtime::headerFaultName(HeaderFault fault) {
  static constexpr const char *names[] = {"HeaderTooSmall",
                                          "HeaderTooLarge",
                                          "InvalidHeaderLength",
                                          "InvalidHeader",
                                          "InvalidHeaderDeserialization",
                                          "InvalidOffset",
                                          "ValidationOverflow",
                                          "TensorInvalidInfo",
                                          "MetadataIncompleteBuffer"};
  return names[static_cast<int>(fault)];
}

/// Tensors must lie one after the other from the start of the data to the end of the file; then no
/// two share bytes and nothing hides between them. Offsets become relative to the file.
static std::optional<HeaderError> place(SafetensorsHeader &header, uint64_t dataStart,
                                        uint64_t fileSize) {
  auto before = [](const StoredTensor &a, const StoredTensor &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  };
  std::sort(header.tensors.begin(), header.tensors.end(), before);
  uint64_t next = 0;
  for (StoredTensor &tensor : header.tensors) {
    std::string shown = printable(tensor.name);
    const char *name = shown.c_str();
    if (tensor.begin != next || tensor.end < tensor.begin)
      return HeaderError{HeaderFault::InvalidOffset,
                         text("tensor `%s` does not begin where the one before it ends", name)};
    next = tensor.end;
    int64_t bytes = static_cast<int64_t>(elementBytes(tensor.type));
    for (int64_t size : tensor.shape)
      if (__builtin_mul_overflow(bytes, size, &bytes))
        return HeaderError{HeaderFault::ValidationOverflow,
                           text("tensor `%s` has an impossible size", name)};
    if (static_cast<uint64_t>(bytes) != tensor.end - tensor.begin)
      return HeaderError{HeaderFault::TensorInvalidInfo,
                         text("tensor `%s` has %llu bytes where its shape needs %lld", name,
                              static_cast<unsigned long long>(tensor.end - tensor.begin),
                              wide(bytes))};
  }
  if (next != fileSize - dataStart)
    return HeaderError{HeaderFault::MetadataIncompleteBuffer,
                       text("the tensors end at byte %llu of the data, the file has %llu: it is "
                            "cut off or has a tail",
                            static_cast<unsigned long long>(next),
                            static_cast<unsigned long long>(fileSize - dataStart))};
  for (StoredTensor &tensor : header.tensors) {
    tensor.begin += dataStart;
    tensor.end += dataStart;
  }
  return std::nullopt;
}

Result<uint64_t, HeaderError> weft::runtime::headerBytes(std::span<const std::byte> start,
                                                         uint64_t size) {
  uint64_t length;
  if (size < sizeof length)
    return HeaderError{HeaderFault::HeaderTooSmall,
                       text("has %llu bytes, no safetensors file is that short",
                            static_cast<unsigned long long>(size))};
  memcpy(&length, start.data(), sizeof length);
  if (length > mostHeaderBytes)
    return HeaderError{HeaderFault::HeaderTooLarge,
                       "is not a safetensors file (its header would have more than 100 MB)"};
  if (length > size - sizeof length)
    return HeaderError{HeaderFault::InvalidHeaderLength,
                       "is cut off inside its header, or is not a safetensors file"};
  return sizeof length + length;
}

Result<SafetensorsHeader, HeaderError> weft::runtime::readHeader(std::span<const std::byte> start,
                                                                 uint64_t size) {
  Result<uint64_t, HeaderError> bytes = headerBytes(start, size);
  if (!bytes)
    return bytes.error();
  std::string_view json(reinterpret_cast<const char *>(start.data()), *bytes);
  json.remove_prefix(sizeof(uint64_t));
  if (!isUtf8(json))
    return HeaderError{HeaderFault::InvalidHeader,
                       "is not a safetensors file (its header is not UTF-8)"};
  HeaderSyntax syntax;
  if (!parseJson(json, syntax))
    return HeaderError{syntax.overflow ? HeaderFault::ValidationOverflow
                                       : HeaderFault::InvalidHeaderDeserialization,
                       "has a header that is not a safetensors header: " + syntax.problem};
  if (auto error = place(syntax.header, *bytes, size))
    return *error;
  return std::move(syntax.header);
}
