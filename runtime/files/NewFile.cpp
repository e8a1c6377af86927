// Atomic files: write beside the target, fsync, rename, fsync the folder.
#include "runtime/files/NewFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace weft::runtime;

Error NewFile::failed(const char *what) const {
  int reason = errno;
  std::string message = text("%s: cannot %s it: %s", path.c_str(), what, strerror(reason));
  if (reason == ENOSPC || reason == EDQUOT)
    message += "; free some space and try again (what was there before is untouched)";
  return Error{Code::File, message};
}

Result<NewFile> NewFile::create(const std::string &path, unsigned mode) {
  NewFile created;
  created.path = path;
  struct stat target;
  // what is no file, such as /dev/null, is written to as it is: a rename would replace it
  created.inPlace =
      stat(path.c_str(), &target) == 0 && !S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode);
  created.temporary =
      created.inPlace ? path : text("%s.%d%s", path.c_str(), static_cast<int>(getpid()), suffix);
  created.file = open(created.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (created.file < 0)
    return created.failed("create");
  return created;
}

NewFile::~NewFile() {
  if (file < 0)
    return;
  close(file);
  if (!inPlace)
    unlink(temporary.c_str());
}

NewFile &NewFile::operator=(NewFile &&other) noexcept {
  std::swap(path, other.path);
  std::swap(temporary, other.temporary);
  std::swap(file, other.file);
  std::swap(inPlace, other.inPlace);
  return *this;
}

Status NewFile::write(const void *data, size_t bytes) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written = ::write(file, next, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return failed("write");
    next += written;
    bytes -= static_cast<size_t>(written);
  }
  return success();
}

Status NewFile::commit() {
  if (inPlace) // there is nothing to sync and nothing to rename
    return success();
  if (fsync(file) != 0)
    return failed("write");
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return failed("replace");
  close(file);
  file = -1;
  return syncFolder(folderOf(path));
}

Status weft::runtime::writeFile(const std::string &path, std::string_view contents, unsigned mode) {
  Result<NewFile> file = NewFile::create(path, mode);
  if (!file)
    return file.error();
  if (Status written = file->write(contents); !written)
    return written;
  return file->commit();
}

Status weft::runtime::syncFolder(const std::string &path) {
  int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // some file systems cannot sync a folder (EINVAL); the rename itself has still happened
  bool synced = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL);
  Error error{Code::File, text("%s: cannot write the folder: %s", path.c_str(), strerror(errno))};
  if (folder >= 0)
    close(folder);
  return synced ? success() : Status(error);
}

std::string weft::runtime::folderOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}
