// Partial files by O_EXCL and flock: a lock dies with its process, a process id may be another's.
#include "runtime/base/files/Partial.h"

#include "runtime/base/files/NewFile.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace weft::runtime;

static constexpr size_t digits = 16;

/// What stands before the digits: as much of the name as a name has room for.
static std::string stemOf(const std::string &name) {
  return name.substr(0, NAME_MAX - 1 - digits - strlen(NewFile::suffix)) + ".";
}

static std::string unforeseen() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) { // O_EXCL keeps even this safe
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    number = static_cast<uint64_t>(now.tv_nsec) << 32 ^ static_cast<uint64_t>(getpid());
  }
  return text("%016llx", static_cast<unsigned long long>(number));
}

/// Whether the open file is still what the folder has under this name.
static bool isStillNamed(int folder, const char *name, int file) {
  struct stat named{}, open{};
  return fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

Partial weft::runtime::createPartial(int folder, const std::string &name, unsigned mode) {
  Partial made;
  for (int attempt = 0; attempt < 100; ++attempt) {
    made.name = stemOf(name) + unforeseen() + NewFile::suffix;
    made.file =
        openat(folder, made.name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (made.file < 0 && errno == EEXIST)
      continue;
    if (made.file < 0)
      return made;
    // before the lock, another may have taken the file for a dead one's; a file system without
    // locks has nobody who could
    bool locked = flock(made.file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && isStillNamed(folder, made.name.c_str(), made.file))
      return made;
    close(made.file);
    made.file = -1;
    errno = EEXIST;
  }
  return made;
}

static bool isPartialOf(std::string_view name, const std::string &stem) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  return name.size() == stem.size() + digits + strlen(NewFile::suffix) && name.starts_with(stem) &&
         name.ends_with(NewFile::suffix) &&
         name.substr(stem.size(), digits).find_first_not_of(hexadecimal) == std::string_view::npos;
}

/// Whether only this machine writes to the file system: then a lock that can be taken is held by no
/// process.
static bool isLocal(int folder) {
  struct statfs facts{};
  constexpr uint32_t xfs = 0x58465342, zfs = 0x2fc12fc1, bcachefs = 0xca451a4e;
  constexpr uint32_t known[] = {EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC,     TMPFS_MAGIC, RAMFS_MAGIC,
                                F2FS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, xfs,         zfs,
                                bcachefs};
  return fstatfs(folder, &facts) == 0 &&
         std::find(std::begin(known), std::end(known), static_cast<uint32_t>(facts.f_type)) !=
             std::end(known);
}

static void removeIfDead(int folder, const char *name) {
  struct stat facts{};
  if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_uid != geteuid())
    return;
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return;
  if (flock(file, LOCK_EX | LOCK_NB) == 0 && isStillNamed(folder, name, file))
    unlinkat(folder, name, 0);
  close(file);
}

void weft::runtime::removeDeadPartials(int folder, const std::string &name) {
  std::string stem = stemOf(name); // from here on nothing takes memory
  int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = own >= 0 && isLocal(own) ? fdopendir(own) : nullptr;
  if (!entries) {
    if (own >= 0)
      close(own);
    return;
  }
  while (dirent *entry = readdir(entries))
    if (isPartialOf(entry->d_name, stem))
      removeIfDead(folder, entry->d_name);
  closedir(entries);
}
