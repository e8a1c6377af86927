// `weft doctor`: what this machine has, and what a build would use of it.
#include "tools/weft/base/Commands.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <fmt/format.h>

#include <thread>

namespace weft {

int runDoctor(const Arguments &) {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  auto has = [&](std::initializer_list<const char *> names) {
    return llvm::all_of(names, [&](const char *name) { return features.lookup(name); });
  };
  bool v3 = has({"avx2", "fma", "bmi2", "f16c"}),
       v4 = v3 && has({"avx512f", "avx512bw", "avx512dq", "avx512vl"});
  fmt::print("compiler      weft {}, LLVM {}\n", WEFT_VERSION, LLVM_VERSION_STRING);
  fmt::print("processor     {} ({} threads)\n", llvm::sys::getHostCPUName().str(),
             std::thread::hardware_concurrency());
  fmt::print("kernels       {}\n", v4   ? "avx512"
                                   : v3 ? "x86-64-v3"
                                        : "none: programs need AVX2 and FMA");
  bool whole = true;
  for (const char *file : {"runtime", "main", "api", "images", "translation"}) {
    std::string path = fmt::format("{}/lib/weft/libweft_{}.a", installationFolder(), file);
    bool there = llvm::sys::fs::exists(path);
    whole &= there;
    fmt::print("runtime       {}{}\n", path, there ? "" : "  MISSING: build it with ./dev build");
  }
  return v3 && whole ? exitOk : exitUser;
}

} // namespace weft
