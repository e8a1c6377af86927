// Where the compiler's own files lie.
#include "tools/weft/base/Commands.h"

#include <climits>
#include <unistd.h>

namespace weft {

std::string installationFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, length > 0 ? static_cast<size_t>(length) : 0);
  size_t slash = self.rfind("/bin/");
  return slash == std::string::npos ? "." : self.substr(0, slash);
}

} // namespace weft
