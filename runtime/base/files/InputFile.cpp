// Reading files by pread.
#include "runtime/base/files/InputFile.h"

#include "runtime/base/files/ReadFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace weft::runtime;

Result<InputFile> InputFile::open(const std::string &path) {
  InputFile opened;
  opened.name = path;
  // a pipe would be waited for
  opened.file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened.file < 0)
    return Error{Code::File, text("%s: cannot read it: %s", path.c_str(), strerror(errno))};
  struct stat facts;
  if (fstat(opened.file, &facts) != 0 || !S_ISREG(facts.st_mode))
    return Error{Code::File, text("%s: is not a file", path.c_str())};
  opened.bytes = static_cast<uint64_t>(facts.st_size);
  opened.changed = facts.st_mtim;
  ReadFiles::note(path, facts);
  return opened;
}

InputFile::~InputFile() {
  if (file >= 0)
    close(file);
}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
  std::swap(name, other.name);
  std::swap(file, other.file);
  std::swap(bytes, other.bytes);
  std::swap(changed, other.changed);
  return *this;
}

Status InputFile::isUnchanged() const {
  struct stat facts;
  if (fstat(file, &facts) == 0 && static_cast<uint64_t>(facts.st_size) == bytes &&
      facts.st_mtim.tv_sec == changed.tv_sec && facts.st_mtim.tv_nsec == changed.tv_nsec)
    return success();
  return Error{Code::File, text("%s: was changed while it was read; write such a file under "
                                "another name and rename it, or wait until it is written",
                                name.c_str())};
}

Status InputFile::read(uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    constexpr size_t most = size_t(1) << 30; // of one call
    ssize_t count =
        pread(file, into.data(), std::min(into.size(), most), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return Error{Code::File, text("%s: cannot read it: %s", name.c_str(), strerror(errno))};
    if (count == 0)
      return Error{
          Code::File,
          text("%s: was cut short while it was read: it had %llu bytes, now it ends before "
               "byte %llu",
               name.c_str(), static_cast<unsigned long long>(bytes),
               static_cast<unsigned long long>(offset + 1))};
    into = into.subspan(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return isUnchanged();
}

// No memory is set aside for what might be written there: it is more than there is.
Result<MappedFile> InputFile::map() const {
  MappedFile mapped;
  mapped.file.name = name;
  mapped.file.bytes = bytes;
  mapped.file.changed = changed;
  mapped.file.file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  void *start = mapped.file.file < 0 ? MAP_FAILED
                                     : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_NORESERVE, mapped.file.file, 0);
  if (start == MAP_FAILED)
    return Error{Code::File, text("%s: cannot map it: %s", name.c_str(), strerror(errno))};
  mapped.start = static_cast<char *>(start);
  return mapped;
}

MappedFile::~MappedFile() {
  if (start)
    munmap(start, file.bytes);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : file(std::move(other.file)), start(std::exchange(other.start, nullptr)) {}

Result<WholeFile> WholeFile::read(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  return file ? read(*file) : file.error();
}

Result<WholeFile> WholeFile::read(const InputFile &file) {
  WholeFile whole;
  whole.size = file.size();
  if (whole.size == 0)
    return whole;
  whole.start.reset(new (std::nothrow) std::byte[whole.size]); // large ones are mapped, not cleared
  if (!whole.start)
    return Error{Code::Memory,
                 text("%s: its %llu bytes need more memory than there is", file.path().c_str(),
                      static_cast<unsigned long long>(file.size()))};
  if (Status status = file.read(0, {whole.start.get(), whole.size}); !status)
    return status.error();
  return whole;
}
