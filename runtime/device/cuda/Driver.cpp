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
  enum class Need { always, graphs, changes, tensors } need;
};
} // namespace

static std::vector<Symbol> symbolsOf(Driver &driver) {
#define WEFT_SYMBOL(field, name, needed)                                                           \
  Symbol {                                                                                         \
    name, reinterpret_cast<void **>(&driver.field), Symbol::Need::needed                           \
  }
  return {
      WEFT_SYMBOL(cuInit, "cuInit", always),
      WEFT_SYMBOL(cuDriverGetVersion, "cuDriverGetVersion", always),
      WEFT_SYMBOL(cuGetErrorName, "cuGetErrorName", always),
      WEFT_SYMBOL(cuGetErrorString, "cuGetErrorString", always),
      WEFT_SYMBOL(cuDeviceGetCount, "cuDeviceGetCount", always),
      WEFT_SYMBOL(cuDeviceGet, "cuDeviceGet", always),
      WEFT_SYMBOL(cuDeviceGetName, "cuDeviceGetName", always),
      WEFT_SYMBOL(cuDeviceGetAttribute, "cuDeviceGetAttribute", always),
      WEFT_SYMBOL(cuDeviceTotalMem, "cuDeviceTotalMem_v2", always),
      WEFT_SYMBOL(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", always),
      WEFT_SYMBOL(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", always),
      WEFT_SYMBOL(cuCtxSetCurrent, "cuCtxSetCurrent", always),
      WEFT_SYMBOL(cuMemGetInfo, "cuMemGetInfo_v2", always),
      WEFT_SYMBOL(cuMemAlloc, "cuMemAlloc_v2", always),
      WEFT_SYMBOL(cuMemFree, "cuMemFree_v2", always),
      WEFT_SYMBOL(cuMemHostAlloc, "cuMemHostAlloc", always),
      WEFT_SYMBOL(cuMemFreeHost, "cuMemFreeHost", always),
      WEFT_SYMBOL(cuStreamCreate, "cuStreamCreate", always),
      WEFT_SYMBOL(cuStreamDestroy, "cuStreamDestroy_v2", always),
      WEFT_SYMBOL(cuStreamSynchronize, "cuStreamSynchronize", always),
      WEFT_SYMBOL(cuEventCreate, "cuEventCreate", always),
      WEFT_SYMBOL(cuEventDestroy, "cuEventDestroy_v2", always),
      WEFT_SYMBOL(cuEventRecord, "cuEventRecord", always),
      WEFT_SYMBOL(cuEventSynchronize, "cuEventSynchronize", always),
      WEFT_SYMBOL(cuEventElapsedTime, "cuEventElapsedTime", always),
      WEFT_SYMBOL(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", always),
      WEFT_SYMBOL(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", always),
      WEFT_SYMBOL(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", always),
      WEFT_SYMBOL(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", always),
      WEFT_SYMBOL(cuMemsetD8Async, "cuMemsetD8Async", always),
      WEFT_SYMBOL(cuModuleLoadDataEx, "cuModuleLoadDataEx", always),
      WEFT_SYMBOL(cuModuleUnload, "cuModuleUnload", always),
      WEFT_SYMBOL(cuModuleGetFunction, "cuModuleGetFunction", always),
      WEFT_SYMBOL(cuFuncSetAttribute, "cuFuncSetAttribute", always),
      WEFT_SYMBOL(cuLaunchKernel, "cuLaunchKernel", always),
      WEFT_SYMBOL(cuStreamBeginCapture, "cuStreamBeginCapture_v2", graphs),
      WEFT_SYMBOL(cuStreamEndCapture, "cuStreamEndCapture", graphs),
      WEFT_SYMBOL(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", graphs),
      WEFT_SYMBOL(cuGraphLaunch, "cuGraphLaunch", graphs),
      WEFT_SYMBOL(cuGraphDestroy, "cuGraphDestroy", graphs),
      WEFT_SYMBOL(cuGraphExecDestroy, "cuGraphExecDestroy", graphs),
      WEFT_SYMBOL(cuStreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2", changes),
      WEFT_SYMBOL(cuGraphExecKernelNodeSetParams, "cuGraphExecKernelNodeSetParams_v2", changes),
      WEFT_SYMBOL(cuGraphExecMemcpyNodeSetParams, "cuGraphExecMemcpyNodeSetParams", changes),
      WEFT_SYMBOL(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled", tensors),
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
    if (!*symbol.place && symbol.need == Symbol::Need::always)
      return unusable(text("the CUDA driver of this machine lacks %s: it is too old, or none; "
                           "install a newer one",
                           symbol.name));
    hasGraphs &= *symbol.place || symbol.need != Symbol::Need::graphs;
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
