// --tuned: the file of tunings that schedules are taken from.
#include "tools/weft/base/Tuned.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

namespace weft {

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
