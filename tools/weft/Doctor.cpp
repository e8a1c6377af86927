// `weft doctor`: what this machine has, and what a build would use of it.
#include "ir/cuda/Schedules.h"
#include "runtime/Archives.h"
#include "runtime/base/Block.h"
#include "runtime/device/Device.h"
#include "runtime/machine/Isa.h"
#include "tools/weft/base/Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <fmt/format.h>

#include <cstring>
#include <thread>

namespace weft {

/// The CUDA devices, and which code of a program that was built for all of them would run.
static void printDevices() {
  const runtime::DeviceArchive &archive = *runtime::cudaArchive();
  auto driver = archive.driver();
  fmt::print("CUDA driver   {}\n", driver ? *driver : "none: " + driver.error().message);
  if (!driver)
    return;
  auto devices = archive.list();
  if (!devices) {
    fmt::print("CUDA devices  {}\n", devices.error().message);
    return;
  }
  const char *text = ".version 8.0\n"; // as codegen/gpu/Ptx.cpp asks for it
  std::vector<WeftImage> images;
  for (const cuda::Device &device : llvm::reverse(cuda::devices()))
    images.push_back({text, strlen(text), device.capability, device.exact, nullptr});
  WeftProgram program{};
  program.images = images.data();
  program.image_count = images.size();
  for (const runtime::DeviceFacts &device : *devices) {
    auto fits = archive.fits(program, device);
    fmt::print("{:<13} {}, compute capability {}.{}, {}; {}\n", device.name, device.model,
               device.major, device.minor, runtime::bytesText(device.memory),
               fits ? "would run " + *fits : fits.error().message);
  }
}

int runDoctor(const Arguments &) {
  auto chooses = [](int isa) { return runtime::machineRuns(isa) && runtime::machineGainsBy(isa); };
  bool v3 = chooses(WEFT_ISA_X86_64_V3), v4 = chooses(WEFT_ISA_AVX512),
       dots = chooses(WEFT_ISA_AVX512_BF16), tiles = chooses(WEFT_ISA_AMX);
  fmt::print("compiler      weft {}, LLVM {}\n", WEFT_VERSION, LLVM_VERSION_STRING);
  fmt::print("processor     {} ({} threads)\n", llvm::sys::getHostCPUName().str(),
             std::thread::hardware_concurrency());
  fmt::print("kernels       {}\n", tiles ? "avx512, and amx where floats are stored as bf16"
                                   : dots
                                       ? "avx512, and avx512-bf16 where floats are stored as bf16"
                                   : v4 ? "avx512"
                                   : v3 ? "x86-64-v3"
                                        : "none: programs need AVX2 and FMA");
  std::string noTiles = runtime::whyNot(WEFT_ISA_AMX);
  fmt::print("amx           {}\n", noTiles.empty() ? "there is" : noTiles);
  printDevices();
  bool whole = true;
  for (const char *file : {"runtime", "main", "api", "images", "translation", "cuda", "emulator"}) {
    std::string path = fmt::format("{}/lib/weft/libweft_{}.a", installationFolder(), file);
    bool there = llvm::sys::fs::exists(path);
    whole &= there;
    fmt::print("runtime       {}{}\n", path, there ? "" : "  MISSING: build it with ./dev build");
  }
  return v3 && whole ? exitOk : exitUser;
}

} // namespace weft
