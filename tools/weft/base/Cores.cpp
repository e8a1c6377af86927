// --cores: how many cores schedules are chosen for.
#include "tools/weft/base/Cores.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace weft {

/// More than any machine has, and few enough that what is counted from them fits.
constexpr int64_t mostCores = 65536;

std::optional<std::string> readCores(const Arguments &arguments, const Target &target,
                                     int64_t &cores) {
  if (!arguments.has("cores"))
    return std::nullopt;
  std::string text = arguments.get("cores");
  if (llvm::StringRef(text).getAsInteger(10, cores) || cores < 1 || cores > mostCores)
    return fmt::format("--cores takes a number from 1 to {}, not `{}`", mostCores, text);
  if (target.schedules() != cpuTarget().schedules())
    return fmt::format("--cores is for the target `cpu`; kernels of `{}` {}", target.name().str(),
                       target.schedules().empty() ? "have no schedules"
                                                  : "are cut for the processors of a GPU");
  return std::nullopt;
}

} // namespace weft
