// Two folders change names at once where the file system can; else the old one steps aside.
#include "tools/weft/foreign/ImportFolder.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/base/files/ReadFiles.h"
#include "runtime/text/KeptTokenizer.h"
#include "runtime/training/checkpoint/MadeWith.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>

namespace weft {

using runtime::Error;
using runtime::Status;

/// Whether a folder holds what an import writes, whole or in part, and nothing else.
static bool isImport(const std::string &path) {
  if (!runtime::isFolder(path))
    return false;
  for (const std::string &name : runtime::namesIn(path)) {
    bool isImported = false;
    for (std::string file : {ImportFolder::weights, runtime::optionsFile, runtime::tokenizerFile,
                             runtime::sourceTokenizerFile})
      isImported |= name == file ||
                    (name.starts_with(file + ".") && name.ends_with(runtime::NewFile::suffix));
    if (!isImported)
      return false;
  }
  return true;
}

static Status move(const std::string &from, const std::string &to) {
  if (std::rename(from.c_str(), to.c_str()) == 0)
    return {};
  return Error{runtime::Code::File,
               fmt::format("{}: cannot rename it to {}: {}", from, to, std::strerror(errno))};
}

ImportFolder::ImportFolder(std::string place) : path(std::move(place)) {
  while (path.size() > 1 && path.ends_with("/"))
    path.pop_back();
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored))
    if (char *real = ::realpath(path.c_str(), nullptr)) {
      path = real;
      std::free(real);
    }
  unfinished = path + ".unfinished";
  replaced = path + ".replaced";
}

ImportFolder::~ImportFolder() {
  if (lock)
    runtime::removeFolder(unfinished);
  runtime::removeMadeFolders(made);
}

Status ImportFolder::create() {
  std::vector<runtime::NamedOutput> lost; // all that lies there
  for (const std::string &each : {path, unfinished, replaced}) {
    if (runtime::fileExists(each) && !isImport(each))
      return Error{runtime::Code::File,
                   each + ": is there already, and is no import; choose another place"};
    for (const std::string &name : runtime::namesIn(each))
      lost.push_back({"output", each + "/" + name});
  }
  if (Status status = runtime::ReadFiles::checkOutputs(lost); !status)
    return status;
  // Only a kill between the two renames of exchange() leaves the old import without its name.
  if (!runtime::fileExists(path) && runtime::fileExists(replaced))
    if (Status status = move(replaced, path); !status)
      return status;
  constexpr const char *holder = "another import is writing to it; wait for it";
  if (runtime::isFolder(unfinished)) { // what a kill left, unless it can be locked by nobody else
    auto left = runtime::FolderLock::take(unfinished, holder);
    if (!left)
      return left.error();
    runtime::removeFolder(unfinished);
  }
  runtime::removeFolder(replaced);
  auto folders = runtime::makeFolders(unfinished);
  if (!folders)
    return folders.error();
  made = std::move(*folders);
  auto own = runtime::FolderLock::take(unfinished, holder);
  if (!own)
    return own.error();
  lock.emplace(std::move(*own));
  return {};
}

/// Leaves the old import at `unfinished`, or at `replaced`.
Status ImportFolder::exchange() const {
  if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0)
    return {};
  if (Status status = move(path, replaced); !status)
    return status;
  Status status = move(unfinished, path);
  if (!status) {
    Status back = move(replaced, path);
    return back ? status : back;
  }
  return status;
}

Status ImportFolder::commit() {
  Status status = runtime::fileExists(path) ? exchange() : move(unfinished, path);
  if (!status)
    return status;
  made.clear();
  // The old files go only when the new names are on the disk.
  status = runtime::syncFolder(runtime::folderOf(path));
  if (status)
    runtime::removeFolder(replaced);
  return status;
}

} // namespace weft
