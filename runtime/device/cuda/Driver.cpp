// Opening the driver.
#include "runtime/device/cuda/Driver.h"

#include <dlfcn.h>
#include <mutex>

using namespace weft::runtime;
using namespace weft::runtime::cuda;

namespace {
struct Symbol {
  const char *name; // as the library exports it
  void **place;
  bool isNeeded;
};
} // namespace

static std::vector<Symbol> symbolsOf(Driver &driver) {
#define WEFT_SYMBOL(field, name, needed)                                                           \
  Symbol {                                                                                         \
    name, reinterpret_cast<void **>(&driver.field), needed                                         \
  }
  return {
      WEFT_SYMBOL(cuInit, "cuInit", true),
      WEFT_SYMBOL(cuDriverGetVersion, "cuDriverGetVersion", true),
      WEFT_SYMBOL(cuGetErrorName, "cuGetErrorName", true),
      WEFT_SYMBOL(cuGetErrorString, "cuGetErrorString", true),
      WEFT_SYMBOL(cuDeviceGetCount, "cuDeviceGetCount", true),
      WEFT_SYMBOL(cuDeviceGet, "cuDeviceGet", true),
      WEFT_SYMBOL(cuDeviceGetName, "cuDeviceGetName", true),
      WEFT_SYMBOL(cuDeviceGetAttribute, "cuDeviceGetAttribute", true),
      WEFT_SYMBOL(cuDeviceTotalMem, "cuDeviceTotalMem_v2", true),
      WEFT_SYMBOL(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", true),
      WEFT_SYMBOL(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", true),
      WEFT_SYMBOL(cuCtxSetCurrent, "cuCtxSetCurrent", true),
      WEFT_SYMBOL(cuMemGetInfo, "cuMemGetInfo_v2", true),
      WEFT_SYMBOL(cuMemAlloc, "cuMemAlloc_v2", true),
      WEFT_SYMBOL(cuMemFree, "cuMemFree_v2", true),
      WEFT_SYMBOL(cuMemHostAlloc, "cuMemHostAlloc", true),
      WEFT_SYMBOL(cuMemFreeHost, "cuMemFreeHost", true),
      WEFT_SYMBOL(cuStreamCreate, "cuStreamCreate", true),
      WEFT_SYMBOL(cuStreamDestroy, "cuStreamDestroy_v2", true),
      WEFT_SYMBOL(cuStreamSynchronize, "cuStreamSynchronize", true),
      WEFT_SYMBOL(cuEventCreate, "cuEventCreate", true),
      WEFT_SYMBOL(cuEventDestroy, "cuEventDestroy_v2", true),
      WEFT_SYMBOL(cuEventRecord, "cuEventRecord", true),
      WEFT_SYMBOL(cuEventSynchronize, "cuEventSynchronize", true),
      WEFT_SYMBOL(cuEventElapsedTime, "cuEventElapsedTime", true),
      WEFT_SYMBOL(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", true),
      WEFT_SYMBOL(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", true),
      WEFT_SYMBOL(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", true),
      WEFT_SYMBOL(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", true),
      WEFT_SYMBOL(cuMemsetD8Async, "cuMemsetD8Async", true),
      WEFT_SYMBOL(cuModuleLoadDataEx, "cuModuleLoadDataEx", true),
      WEFT_SYMBOL(cuModuleUnload, "cuModuleUnload", true),
      WEFT_SYMBOL(cuModuleGetFunction, "cuModuleGetFunction", true),
      WEFT_SYMBOL(cuFuncSetAttribute, "cuFuncSetAttribute", true),
      WEFT_SYMBOL(cuLaunchKernel, "cuLaunchKernel", true),
      WEFT_SYMBOL(cuStreamBeginCapture, "cuStreamBeginCapture_v2", false),
      WEFT_SYMBOL(cuStreamEndCapture, "cuStreamEndCapture", false),
      WEFT_SYMBOL(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", false),
      WEFT_SYMBOL(cuGraphLaunch, "cuGraphLaunch", false),
      WEFT_SYMBOL(cuGraphDestroy, "cuGraphDestroy", false),
      WEFT_SYMBOL(cuGraphExecDestroy, "cuGraphExecDestroy", false),
  };
#undef WEFT_SYMBOL
}

static Error unusable(std::string why) {
  return {weft::runtime::Code::Device, std::move(why)};
}

static Result<const Driver *> open(Driver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unusable(text("there is no CUDA driver here (%s): install NVIDIA's, which brings "
                         "libcuda.so.1",
                         dlerror()));
  std::vector<Symbol> symbols = symbolsOf(driver);
  bool hasGraphs = true;
  for (const Symbol &symbol : symbols) {
    *symbol.place = dlsym(library, symbol.name);
    if (!*symbol.place && symbol.isNeeded)
      return unusable(text("the CUDA driver of this machine lacks %s: it is too old, or none; "
                           "install a newer one",
                           symbol.name));
    hasGraphs &= *symbol.place != nullptr;
  }
  if (!hasGraphs)
    driver.cuGraphInstantiateWithFlags = nullptr;
  if (cuda::Code code = driver.cuInit(0))
    return unusable(code == noDevice ? "the CUDA driver finds no device on this machine"
                                     : "the CUDA driver does not start: " + driver.say(code));
  if (cuda::Code code = driver.cuDriverGetVersion(&driver.version))
    return unusable("the CUDA driver does not say its version: " + driver.say(code));
  return &driver;
}

Result<const Driver *> Driver::get() {
  static std::mutex mutex;
  static Driver driver; // as long as the process: others may use the library too
  static bool isOpen = false;
  std::lock_guard lock(mutex);
  if (isOpen)
    return &driver;
  Result<const Driver *> opened = open(driver);
  isOpen = static_cast<bool>(opened);
  return opened;
}

std::string Driver::say(cuda::Code code) const {
  const char *name = nullptr, *sentence = nullptr;
  bool known = cuGetErrorName(code, &name) == 0 && name;
  if (cuGetErrorString(code, &sentence) != 0 || !sentence)
    sentence = "which the driver does not explain";
  return known ? text("%s, %s", name, sentence) : text("error %d, %s", code, sentence);
}

std::string weft::runtime::cuda::versionText(int version) {
  return text("%d.%d", version / 1000, version % 1000 / 10);
}
