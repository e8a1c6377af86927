// Folders by POSIX.
#include "runtime/base/files/Folder.h"

#include "runtime/base/files/NewFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace weft::runtime;

bool weft::runtime::isFolder(const std::string &path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool weft::runtime::fileExists(const std::string &path) {
  return access(path.c_str(), F_OK) == 0;
}

Result<std::vector<std::string>> weft::runtime::makeFolders(const std::string &path) {
  std::vector<std::string> missing;
  for (std::string at = path; !at.empty() && !isFolder(at); at = folderOf(at)) {
    missing.push_back(at);
    if (folderOf(at) == at)
      break;
  }
  std::vector<std::string> made;
  for (; !missing.empty(); missing.pop_back()) {
    const std::string &next = missing.back();
    if (mkdir(next.c_str(), 0777) == 0) {
      made.push_back(next);
    } else if (int reason = errno; reason != EEXIST || !isFolder(next)) {
      removeMadeFolders(made);
      return Error{Code::File,
                   text("%s: cannot make the folder: %s", next.c_str(), strerror(reason))};
    }
  }
  return made;
}

Status weft::runtime::makeFolder(const std::string &path) {
  auto made = makeFolders(path);
  return made ? success() : Status(made.error());
}

void weft::runtime::removeMadeFolders(const std::vector<std::string> &made) {
  for (auto folder = made.rbegin(); folder != made.rend(); ++folder)
    rmdir(folder->c_str());
}

std::vector<std::string> weft::runtime::namesIn(const std::string &path) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR *)> folder(opendir(path.c_str()), closedir);
  if (!folder)
    return names;
  while (dirent *entry = readdir(folder.get()))
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      names.emplace_back(entry->d_name);
  std::sort(names.begin(), names.end());
  return names;
}

void weft::runtime::removeFolder(const std::string &path) {
  for (const std::string &name : namesIn(path))
    unlink((path + "/" + name).c_str());
  rmdir(path.c_str());
}

Result<FolderLock> FolderLock::take(const std::string &path, const char *holder) {
  int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return Error{Code::File, text("%s: cannot open the folder: %s", path.c_str(), strerror(errno))};
  FolderLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    return lock;
  return Error{Code::File, text("%s: %s", path.c_str(), holder)};
}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    close(descriptor);
}
