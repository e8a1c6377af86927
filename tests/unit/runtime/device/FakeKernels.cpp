// Kernels of the driver that is none: code, launches, descriptions of tensors.
#include "runtime/Abi.h"
#include "tests/unit/runtime/device/FakeDriver.h"

#include <cstdio>
#include <dlfcn.h>

using namespace fake;

namespace {
using Launch = const char *(*)(Kernel, void *const *, unsigned, unsigned);
using Encode = bool (*)(void *map, const WeftTensorMap *tensor);
struct alignas(64) Map {
  char bytes[128];
};
} // namespace

int fake::launchOf(const Function &function, unsigned blocks, unsigned threads, unsigned shared,
                   void **parameters, Work &work) {
  if (shared > function.mostShared || blocks == 0)
    return invalidValue;
  if (driver.idle) {
    work = [] { return 0; };
    return 0;
  }
  auto *sizes = static_cast<const int64_t *>(parameters[0]);
  auto *buffers = static_cast<void *const *>(parameters[1]);
  std::vector<int64_t> allSizes(sizes, sizes + function.sizes);
  std::vector<void *> allBuffers(buffers, buffers + function.buffers);
  void *scratch = *static_cast<void **>(parameters[2]);
  std::vector<Map> maps;
  for (size_t i = 0; i < function.maps; ++i)
    maps.push_back(*static_cast<Map *>(parameters[3 + i]));
  work = [=, &function]() mutable {
    if (driver.lost >= 0 && driver.launches++ >= driver.lost) {
      driver.isLost = true;
      return launchFailed;
    }
    std::vector<void *> addresses = {allSizes.data(), allBuffers.data(), &scratch};
    for (Map &map : maps)
      addresses.push_back(&map);
    static auto launch = reinterpret_cast<Launch>(dlsym(RTLD_DEFAULT, "weft_test_launch"));
    const char *problem = launch(function.code, addresses.data(), blocks, threads);
    if (problem)
      log(function.name + ": " + problem);
    return problem ? launchFailed : 0;
  };
  return 0;
}

extern "C" {

int cuModuleLoadDataEx(void **module, const void *image, unsigned, int *, void **) {
  std::string text = static_cast<const char *>(image);
  log("module " + text.substr(3, text.find('\n') - 3));
  *module = new std::string(std::move(text));
  return 0;
}

int cuModuleUnload(void *module) {
  delete static_cast<std::string *>(module);
  return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  if (driver.captured) { // as one may that loads code when it is asked for
    driver.isSpoilt = true;
    return illegalState;
  }
  if (driver.idle) {
    auto &known = driver.functions[name];
    known = {name, nullptr, 0, 0, 0, 227 << 10};
    *function = &known;
    return 0;
  }
  const std::string &text = *static_cast<std::string *>(module);
  size_t found = text.find(std::string("// kernel ") + name + " ");
  void *code = dlsym(RTLD_DEFAULT, name);
  if (found == std::string::npos || !code)
    return notFound;
  auto &known = driver.functions[name];
  known = {name, reinterpret_cast<Kernel>(code), 0, 0, 0, 48 << 10};
  sscanf(text.c_str() + found, "// kernel %*s %zu %zu %zu", &known.sizes, &known.buffers,
         &known.maps);
  *function = &known;
  return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute != 8 || value > 227 << 10)
    return invalidValue;
  static_cast<Function *>(function)->mostShared = static_cast<unsigned>(value);
  return 0;
}

int cuLaunchKernel(void *given, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned,
                   unsigned, unsigned shared, void *, void **parameters, void **) {
  Work work;
  if (int code =
          launchOf(*static_cast<Function *>(given), blocks, threads, shared, parameters, work))
    return code;
  log(driver.captured ? "captured" : "launched");
  return ask(std::move(work), shared);
}

/// By weft_test_encode() of the process, which its kernels understand.
int cuTensorMapEncodeTiled(void *map, int kind, unsigned rank, void *base, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int,
                           int swizzle, int, int) {
  WeftTensorMap tensor = {};
  if (rank < 1 || rank > 5 || reinterpret_cast<uintptr_t>(map) % 64)
    return invalidValue;
  tensor.base = base;
  tensor.rank = rank;
  tensor.element_bytes = kind == 9 ? 2 : 4;
  tensor.swizzle = swizzle ? 16u << swizzle : 0;
  for (unsigned i = 0; i < rank; ++i) {
    tensor.sizes[i] = sizes[i];
    tensor.box[i] = box[i];
    if (i > 0)
      tensor.strides[i - 1] = strides[i - 1];
    if (steps[i] != 1)
      return invalidValue;
  }
  if (driver.idle)
    return 0;
  static auto encode = reinterpret_cast<Encode>(dlsym(RTLD_DEFAULT, "weft_test_encode"));
  return encode(map, &tensor) ? 0 : invalidValue;
}
}
