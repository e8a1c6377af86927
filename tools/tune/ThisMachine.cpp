// The machine that this process runs on.
#include "tools/tune/ThisMachine.h"

#include "runtime/machine/Cores.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

#include <fmt/format.h>
#include <unistd.h>

namespace weft::tune {

/// What the system calls the processor, else what LLVM does.
static std::string processor() {
  if (auto file = llvm::MemoryBuffer::getFileAsStream("/proc/cpuinfo")) {
    llvm::SmallVector<llvm::StringRef> lines;
    (*file)->getBuffer().split(lines, '\n');
    for (llvm::StringRef line : lines)
      if (line.starts_with("model name"))
        if (llvm::StringRef name = line.split(':').second.trim();
            !name.empty() && llvm::all_of(name, llvm::isPrint))
          return name.str();
  }
  return llvm::sys::getHostCPUName().str();
}

static std::string cache(int level) {
  long bytes = std::max(sysconf(level), 0L);
  return bytes % (1 << 20) == 0 && bytes > 0 ? fmt::format("{} MiB", bytes >> 20)
                                             : fmt::format("{} KiB", bytes >> 10);
}

std::string thisMachine() {
  int cores = runtime::availableCores();
  return fmt::format("{}, caches {} {} {}, {} core{}", processor(), cache(_SC_LEVEL1_DCACHE_SIZE),
                     cache(_SC_LEVEL2_CACHE_SIZE), cache(_SC_LEVEL3_CACHE_SIZE), cores,
                     cores == 1 ? "" : "s");
}

} // namespace weft::tune
