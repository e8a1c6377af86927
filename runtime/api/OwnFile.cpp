// Looks through /proc/self/maps.
#include "runtime/api/OwnFile.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

std::string weft::runtime::fileMappedAt(const void *address) {
  std::unique_ptr<FILE, int (*)(FILE *)> maps(fopen("/proc/self/maps", "re"), fclose);
  if (!maps)
    return "";
  auto wanted = reinterpret_cast<uintptr_t>(address);
  std::string found;
  char *line = nullptr;
  size_t room = 0;
  std::unique_ptr<char *, void (*)(char **)> owned(&line, [](char **text) { free(*text); });
  for (ssize_t length; found.empty() && (length = getline(&line, &room, maps.get())) > 0;) {
    uintptr_t begin = 0, end = 0;
    int path = 0; // begin-end perms offset device inode path
    sscanf(line, "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &path);
    if (wanted >= begin && wanted < end && path > 0 && line[path] == '/')
      found.assign(line + path, line + length - 1);
  }
  return found;
}
