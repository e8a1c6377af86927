// A file to read, piece by piece. It is read, not mapped: a mapped file that another process cuts
// short ends the process with SIGBUS, and what a host has mapped it cannot protect.
#ifndef WEFT_RUNTIME_BASE_FILES_INPUTFILE_H
#define WEFT_RUNTIME_BASE_FILES_INPUTFILE_H

#include "runtime/base/Error.h"

#include <cstddef>
#include <ctime>
#include <memory>
#include <span>

namespace weft::runtime {

class MappedFile;

/// A regular file, open. What it was when it was opened it has to stay.
class InputFile {
public:
  static Result<InputFile> open(const std::string &path);
  ~InputFile();
  InputFile(InputFile &&other) noexcept { *this = std::move(other); }
  InputFile &operator=(InputFile &&other) noexcept;

  const std::string &path() const { return name; }
  uint64_t size() const { return bytes; }
  /// Fills `into` from the byte at `offset` on. Error: the file ends before, or was
  /// written to since it was opened.
  Status read(uint64_t offset, std::span<std::byte> into) const;
  /// For a process that is a tool's own, where files are larger than its machine's memory.
  Result<MappedFile> map() const;

private:
  friend class MappedFile;
  InputFile() = default;
  Status isUnchanged() const;
  std::string name;
  int file = -1;
  uint64_t bytes = 0;
  timespec changed{}; // when it was last written to
};

/// A file in memory: pages come from it when they are touched, and the system may take them back;
/// those that are written to are the process's own.
class MappedFile {
public:
  ~MappedFile();
  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&) = delete;

  char *data() const { return start; }
  /// Error: the file was written to since it was opened, so nobody knows what was read.
  Status isUnchanged() const { return file.isUnchanged(); }

private:
  friend class InputFile;
  MappedFile() = default;
  InputFile file;
  char *start = nullptr;
};

/// The contents of a regular file, copied into memory. An empty file has none and is no error.
class WholeFile {
public:
  static Result<WholeFile> read(const std::string &path);
  static Result<WholeFile> read(const InputFile &file);
  std::span<const std::byte> bytes() const { return {start.get(), size}; }
  std::string_view view() const { return {reinterpret_cast<const char *>(start.get()), size}; }

private:
  std::unique_ptr<std::byte[]> start;
  size_t size = 0;
};

} // namespace weft::runtime
#endif
