// `weft check` and `weft fmt`: the front end alone.
#include "frontend/format/Formatter.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"

#include "runtime/base/files/NewFile.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace weft {

int runCheck(const Arguments &arguments) {
  // Never taken down: of a long file that would be a tenth of the time.
  static Compilation &compilation = *new Compilation(arguments);
  bool configured = arguments.has("config") || arguments.has("set");
  bool fine = configured ? compilation.model() && compilation.checkModel() : compilation.check();
  return fine ? exitOk : compilation.exitCode();
}

int runFmt(const Arguments &arguments) {
  int result = exitOk;
  for (const std::string &path : arguments.positional) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) {
      fmt::print(stderr, "weft fmt: cannot read `{}`: {}\n", path, std::strerror(errno));
      return exitUser;
    }
    SourceManager sources;
    Diagnostics diagnostics;
    std::optional<std::string> formatted =
        format(sources, sources.add(path, text.str()), diagnostics);
    if (!formatted) {
      fmt::print(stderr, "{}", render(diagnostics, sources));
      result = exitUser;
      continue;
    }
    if (arguments.has("check")) {
      if (*formatted == text.str())
        continue;
      fmt::print(stderr, "weft fmt: `{}` is not formatted\n", path);
      result = exitUser;
    } else if (!arguments.has("write")) {
      fmt::print("{}", *formatted);
    } else if (*formatted != text.str()) {
      if (runtime::Status written = runtime::writeFile(path, *formatted); !written) {
        fmt::print(stderr, "weft fmt: {}\n", written.error().message);
        result = exitUser;
      }
    }
  }
  return result;
}

} // namespace weft
