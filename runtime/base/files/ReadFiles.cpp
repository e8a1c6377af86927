// Files are known by device and number, as names and links may be many.
#include "runtime/base/files/ReadFiles.h"

#include "runtime/base/files/NewFile.h"

#include <climits>
#include <mutex>
#include <unistd.h>

using namespace weft::runtime;

namespace {
struct Noted {
  dev_t device;
  ino_t number;
  std::string path;
  const char *what;
};

std::mutex guard; // images are read by several threads
bool areNoted = false;
std::vector<Noted> noted;

bool isSame(const struct stat &a, const struct stat &b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether two names are one place to write to: one file, or the same name of one folder where
/// there is no file yet. What is no file takes what several have to say.
bool isOnePlace(const std::string &a, const std::string &b) {
  struct stat first, second;
  bool isThere = stat(a.c_str(), &first) == 0;
  if (isThere != (stat(b.c_str(), &second) == 0))
    return false;
  if (isThere)
    return S_ISREG(first.st_mode) && isSame(first, second);
  std::string one = followed(a), other = followed(b);
  return one.substr(one.rfind('/') + 1) == other.substr(other.rfind('/') + 1) &&
         stat(folderOf(one).c_str(), &first) == 0 && stat(folderOf(other).c_str(), &second) == 0 &&
         isSame(first, second);
}

void add(const std::string &path, const struct stat &facts, const char *what) {
  std::lock_guard lock(guard);
  if (areNoted && S_ISREG(facts.st_mode))
    noted.push_back({facts.st_dev, facts.st_ino, path, what});
}

void noteProgram() {
  constexpr char self[] = "/proc/self/exe";
  char path[PATH_MAX];
  ssize_t length = readlink(self, path, sizeof path);
  struct stat facts;
  if (length > 0 && stat(self, &facts) == 0)
    add({path, static_cast<size_t>(length)}, facts, "the program that runs");
}
} // namespace

ReadFiles::ReadFiles() {
  {
    std::lock_guard lock(guard);
    areNoted = true;
  }
  noteProgram();
}

ReadFiles::~ReadFiles() {
  std::lock_guard lock(guard);
  areNoted = false;
  noted.clear();
}

void ReadFiles::note(const std::string &path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) == 0)
    note(path, facts);
}

void ReadFiles::note(const std::string &path, const struct stat &facts) {
  add(path, facts, "which is read");
}

Status ReadFiles::checkOutputs(const std::vector<NamedOutput> &outputs) {
  std::lock_guard lock(guard);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto &[option, path] = outputs[i];
    if (path.empty())
      return Error{Code::Usage,
                   text("--%s: expected the name of a file, which is empty here", option.c_str())};
    struct stat facts;
    bool isThere = stat(path.c_str(), &facts) == 0;
    for (const Noted &file : noted)
      if (isThere && file.device == facts.st_dev && file.number == facts.st_ino)
        return Error{Code::Usage,
                     text("--%s %s: this is `%s`, %s, and would be lost; give another name",
                          option.c_str(), path.c_str(), file.path.c_str(), file.what)};
    for (size_t j = 0; j < i; ++j)
      if (isOnePlace(path, outputs[j].path))
        return Error{Code::Usage,
                     text("--%s %s: --%s writes there too; give each a file of its own",
                          option.c_str(), path.c_str(), outputs[j].option.c_str())};
  }
  return success();
}
