// The targets that --target names.
#include "tools/weft/base/AskedTargets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace weft {

std::optional<std::string> askedTargets(const Arguments &arguments, bool several,
                                        std::vector<const Target *> &asked) {
  std::string list = arguments.get("target", targets().front()->name().str());
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(list).split(names, ',');
  for (llvm::StringRef name : names) {
    const Target *target = targetNamed(name);
    if (!target)
      return fmt::format("there is no target `{}`; targets are {}", name.str(), targetNames());
    if (llvm::is_contained(asked, target))
      return fmt::format("--target says `{}` twice", name.str());
    asked.push_back(target);
  }
  if (asked.size() > 1 && !several)
    return fmt::format("--target {}: one at a time here; `weft build` makes a program for several",
                       list);
  return std::nullopt;
}

} // namespace weft
