// --cores and --tuned.
#include "tools/weft/base/ScheduleOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

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

std::optional<std::string> readTuned(const Arguments &arguments, const Target &target,
                                     llvm::ArrayRef<const Target *> all, std::string &file) {
  if (!arguments.has("tuned"))
    return std::nullopt;
  if (!llvm::is_contained(all, &cpuTarget()))
    return fmt::format("--tuned is for the target `cpu`; kernels of `{}` are not tuned",
                       target.name().str());
  std::string path = arguments.get("tuned");
  if (auto read = llvm::MemoryBuffer::getFile(path); !read)
    return fmt::format("--tuned: cannot read {}: {}", path, read.getError().message());
  if (&target == &cpuTarget())
    file = path;
  return std::nullopt;
}

} // namespace weft
