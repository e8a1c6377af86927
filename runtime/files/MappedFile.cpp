// Reading files by mmap.
#include "runtime/files/MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace weft::runtime;

Result<MappedFile> MappedFile::open(const std::string &path) {
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return Error{Code::File, text("%s: cannot read it: %s", path.c_str(), strerror(errno))};
  struct stat facts;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(file);
    return Error{Code::File, text("%s: is not a file", path.c_str())};
  }
  MappedFile mapped;
  mapped.size = static_cast<size_t>(facts.st_size);
  if (mapped.size > 0) {
    void *start = mmap(nullptr, mapped.size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) {
      Error error{Code::File, text("%s: cannot map it: %s", path.c_str(), strerror(errno))};
      mapped.size = 0;
      close(file);
      return error;
    }
    mapped.start = static_cast<const std::byte *>(start);
  }
  close(file);
  return mapped;
}

MappedFile::~MappedFile() {
  if (start)
    munmap(const_cast<std::byte *>(start), size);
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(start, other.start);
  std::swap(size, other.size);
  return *this;
}
