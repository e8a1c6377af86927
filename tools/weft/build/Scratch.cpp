// Temporary folders, and running what is in them.
#include "tools/weft/build/Scratch.h"

#include "tools/weft/base/Options.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

namespace weft {

ScratchFolder::ScratchFolder() {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("weft-run", folder))
    fmt::print(stderr, "weft: cannot make a temporary folder\n");
  else
    path = folder.str().str();
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty() && llvm::sys::fs::remove_directories(path))
    fmt::print(stderr, "weft: {} could not be removed\n", path);
}

int runProgram(const std::string &program, const std::vector<std::string> &words,
               const std::string &printed) {
  llvm::SmallVector<llvm::StringRef> argv = {"weft"};
  argv.append(words.begin(), words.end());
  std::string problem;
  llvm::SmallVector<std::optional<llvm::StringRef>> streams;
  if (!printed.empty())
    streams = {std::nullopt, printed, std::nullopt};
  int result = llvm::sys::ExecuteAndWait(program, argv, std::nullopt, streams, 0, 0, &problem);
  if (result >= 0)
    return result;
  fmt::print(stderr, "weft: the program ended badly: {}\n", problem);
  return exitInternal;
}

} // namespace weft
