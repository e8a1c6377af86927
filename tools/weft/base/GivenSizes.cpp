// --size: sizes of what comes with the data.
#include "tools/weft/base/GivenSizes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace weft {

std::optional<std::string> readSizeList(const std::string &list,
                                        std::map<std::string, int64_t> &sizes) {
  llvm::SmallVector<llvm::StringRef> pieces;
  llvm::StringRef(list).split(pieces, ',', -1, false);
  for (llvm::StringRef piece : pieces) {
    auto [name, number] = piece.split('=');
    int64_t value = 0;
    if (name.empty() || number.getAsInteger(10, value) || value < 1)
      return fmt::format("--size takes NAME=N with a number from 1, not `{}`", piece.str());
    sizes[name.str()] = value;
  }
  return std::nullopt;
}

std::optional<std::string> readSizes(const Arguments &arguments,
                                     std::map<std::string, int64_t> &sizes) {
  for (const std::string &given : arguments.all("size"))
    if (auto problem = readSizeList(given, sizes))
      return problem;
  return std::nullopt;
}

} // namespace weft
