// Atomic files: write beside the target, fsync, rename, fsync the folder.
#include "runtime/base/files/NewFile.h"

#include "runtime/base/files/Partial.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
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

std::string weft::runtime::followed(const std::string &path) {
  constexpr int most = 40; // as many as the system follows
  std::string at = path;
  for (int i = 0; i < most; ++i) {
    char target[PATH_MAX];
    ssize_t length = readlink(at.c_str(), target, sizeof target);
    if (length <= 0 || length == sizeof target)
      return at;
    std::string next(target, static_cast<size_t>(length));
    at = next[0] == '/' ? next : folderOf(at) + "/" + next;
  }
  return at;
}

/// What a file that takes the place of another may be: open to the same, and run by its readers if
/// it is a program.
static unsigned modeInPlaceOf(const struct stat &before, unsigned mode) {
  unsigned kept = before.st_mode & 0777;
  return mode & 0111 ? kept | (kept & 0444) >> 2 : kept;
}

/// Gives the new file the owner and the group of the one that it replaces, where that is allowed;
/// a group that it cannot have gets no more than everybody.
static bool takeRights(int file, const struct stat &before, unsigned mode) {
  struct stat now;
  if (fstat(file, &now) != 0)
    return false;
  bool same = now.st_uid == before.st_uid && now.st_gid == before.st_gid;
  if (!same && fchown(file, before.st_uid, before.st_gid) != 0 &&
      fchown(file, static_cast<uid_t>(-1), before.st_gid) != 0 && now.st_gid != before.st_gid)
    mode &= ~0070u | (mode & 07) << 3;
  return fchmod(file, mode) == 0;
}

/// Links are followed, and a planted one can only lead where the user may write himself: what is
/// made there is a new file, and takes the name by rename(2).
Status NewFile::createBeside(unsigned mode) {
  std::string target = followed(path);
  size_t slash = target.rfind('/');
  name = slash == std::string::npos ? target : target.substr(slash + 1);
  folder = open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return failed("create");
  struct stat before;
  bool replaces = fstatat(folder, name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (replaces && !S_ISREG(before.st_mode)) {
    errno = S_ISDIR(before.st_mode) ? EISDIR : ELOOP;
    return failed("create");
  }
  removeDeadPartials(folder, name);
  Partial made = createPartial(folder, name, replaces ? 0600 : mode);
  file = made.file;
  temporary = std::move(made.name);
  if (file < 0 || (replaces && !takeRights(file, before, modeInPlaceOf(before, mode))))
    return failed("create");
  return success();
}

/// What is no file, such as /dev/null, is written to as it is: a rename would replace it. So is a
/// file that has lost its name (/dev/stdout of a shell that removed it).
static bool hasNoName(const std::string &path) {
  struct stat target, named;
  if (stat(path.c_str(), &target) != 0 || S_ISDIR(target.st_mode))
    return false;
  return !S_ISREG(target.st_mode) || lstat(followed(path).c_str(), &named) != 0 ||
         named.st_dev != target.st_dev || named.st_ino != target.st_ino;
}

Result<NewFile> NewFile::create(const std::string &path, unsigned mode) {
  NewFile created;
  created.path = path;
  created.inPlace = hasNoName(path);
  if (!created.inPlace) {
    if (Status status = created.createBeside(mode); !status)
      return status.error();
    return created;
  }
  created.file = open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (created.file < 0)
    return created.failed("create");
  return created;
}

NewFile::~NewFile() {
  if (mapping)
    munmap(mapping, mapped);
  if (file >= 0 && !inPlace)
    unlinkat(folder, temporary.c_str(), 0);
  for (int open : {file, folder})
    if (open >= 0)
      close(open);
}

NewFile &NewFile::operator=(NewFile &&other) noexcept {
  std::swap(path, other.path);
  std::swap(name, other.name);
  std::swap(temporary, other.temporary);
  std::swap(folder, other.folder);
  std::swap(file, other.file);
  std::swap(inPlace, other.inPlace);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
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

// Blocks are taken before anything is written: a disk that is full shows here, and not as a signal
// where memory is written to. (Where files are copied when they are written to, as on btrfs and
// ZFS, that is no promise.)
Result<char *> NewFile::room(size_t bytes) {
  off_t begin = inPlace ? -1 : lseek(file, 0, SEEK_CUR);
  if (begin < 0 || bytes == 0)
    return static_cast<char *>(nullptr);
  int refused;
  do
    refused = posix_fallocate(file, begin, static_cast<off_t>(bytes));
  while (refused == EINTR);
  if (refused) {
    errno = refused;
    return failed("write");
  }
  mapped = static_cast<size_t>(begin) + bytes;
  void *start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (start != MAP_FAILED) {
    mapping = start;
    return static_cast<char *>(start) + begin;
  }
  if (ftruncate(file, begin) != 0)
    return failed("write");
  return static_cast<char *>(nullptr);
}

/// Some file systems cannot sync a folder (EINVAL); the rename itself has still happened.
static bool synced(int folder) {
  return fsync(folder) == 0 || errno == EINVAL;
}

Status NewFile::commit() {
  if (inPlace) // there is nothing to sync and nothing to rename
    return success();
  if (fsync(file) != 0)
    return failed("write");
  if (renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
    return failed("replace");
  close(file);
  file = -1;
  return synced(folder) ? success() : Status(failed("write the folder of"));
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
  bool fine = folder >= 0 && synced(folder);
  int reason = errno;
  if (folder >= 0)
    close(folder);
  if (fine)
    return success();
  return Error{Code::File, text("%s: cannot write the folder: %s", path.c_str(), strerror(reason))};
}

std::string weft::runtime::folderOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}
