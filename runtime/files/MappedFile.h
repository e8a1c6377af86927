// A file to read, mapped into memory.
#ifndef WEFT_RUNTIME_FILES_MAPPEDFILE_H
#define WEFT_RUNTIME_FILES_MAPPEDFILE_H

#include "runtime/error/Error.h"

#include <cstddef>
#include <span>

namespace weft::runtime {

/// The bytes of a regular file, read-only. An empty file has no bytes and is no error.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);
  ~MappedFile();
  MappedFile(MappedFile &&other) noexcept { *this = std::move(other); }
  MappedFile &operator=(MappedFile &&other) noexcept;

  std::span<const std::byte> bytes() const { return {start, size}; }
  std::string_view view() const { return {reinterpret_cast<const char *>(start), size}; }

private:
  MappedFile() = default;
  const std::byte *start = nullptr;
  size_t size = 0;
};

} // namespace weft::runtime
#endif
