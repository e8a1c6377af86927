// Where the compiler's own files lie, and how it writes others'.
#include "tools/weft/Commands.h"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace weft {

std::optional<std::string> writeFile(const std::string &path, const std::string &bytes) {
  std::string temporary = fmt::format("{}.tmp{}", path, getpid());
  FILE *file = std::fopen(temporary.c_str(), "wb");
  bool good = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  good &= file && std::fclose(file) == 0;
  if (good && std::rename(temporary.c_str(), path.c_str()) == 0)
    return std::nullopt;
  std::string why = std::strerror(errno);
  std::remove(temporary.c_str());
  return fmt::format("cannot write `{}`: {}", path, why);
}

std::string installationFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  size_t slash = self.rfind("/bin/");
  return slash == std::string::npos ? "." : self.substr(0, slash);
}

} // namespace weft
