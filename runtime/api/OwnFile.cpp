// Looks through /proc/self/maps.
#include "runtime/api/OwnFile.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

std::string weft::runtime::fileMappedAt(const void *address) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return "";
  auto wanted = reinterpret_cast<uintptr_t>(address);
  std::string found;
  char *line = nullptr;
  size_t room = 0;
  for (ssize_t length; found.empty() && (length = getline(&line, &room, maps)) > 0;) {
    uintptr_t begin = 0, end = 0;
    int path = 0; // begin-end perms offset device inode path
    sscanf(line, "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &path);
    if (wanted >= begin && wanted < end && path > 0 && line[path] == '/')
      found.assign(line + path, line + length - 1);
  }
  free(line);
  fclose(maps);
  return found;
}
