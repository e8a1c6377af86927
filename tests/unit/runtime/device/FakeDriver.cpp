// A libcuda.so.1 that is none, over memory of this machine: what is asked of its one stream is done
// when somebody waits, and it has the faults that FAKE_CUDA names.
//
// FAKE_CUDA="version=11040 devices=2 capability=70 memory=1000000 lost=5 context=2 graphs=0
// changes=0 idle=1": the version of the driver; how many devices; their capability; bytes of each;
// the launch with which the device is lost; the error with which a context is refused; whether
// there are graphs; whether they can be changed; whether kernels of any name are there, and do
// nothing. Else they are functions of the process, by name, run by its weft_test_launch(); the code
// of a program says in comments how many sizes, buffers and maps each has. FAKE_CUDA_LOG names a
// file to which calls of interest are written.
#include "tests/unit/runtime/device/FakeDriver.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fake;

namespace fake {
Driver driver;

long setting(const char *name, long otherwise) {
  const char *all = getenv("FAKE_CUDA");
  std::string wanted = std::string(name) + "=";
  const char *found = all ? strstr(all, wanted.c_str()) : nullptr;
  return found ? atol(found + wanted.size()) : otherwise;
}

void log(const std::string &line) {
  if (const char *path = getenv("FAKE_CUDA_LOG"))
    if (FILE *file = fopen(path, "a")) {
      fprintf(file, "%s\n", line.c_str());
      fclose(file);
    }
}

int ask(Work work, unsigned shared) {
  if (driver.isLost)
    return launchFailed;
  if (Graph *graph = driver.captured) {
    graph->nodes.push_back(std::make_unique<Node>(Node{graph, graph->works.size(), shared}));
    graph->works.push_back(std::move(work));
  } else {
    driver.stream.push_back(std::move(work));
  }
  return 0;
}

int finish() {
  std::vector<Work> work = std::move(driver.stream);
  driver.stream.clear();
  for (const Work &each : work)
    if (int code = driver.isLost ? launchFailed : each())
      return code;
  return driver.isLost ? launchFailed : 0;
}
} // namespace fake

namespace {
struct Copy2D {
  size_t fromX, fromY;
  int fromKind;
  const void *fromHost;
  unsigned long long from;
  void *fromArray;
  size_t fromPitch, toX, toY;
  int toKind;
  void *toHost;
  unsigned long long to;
  void *toArray;
  size_t toPitch, width, height;
};
} // namespace

extern "C" {

int cuInit(unsigned) {
  driver.version = static_cast<int>(setting("version", 13000));
  driver.devices = static_cast<int>(setting("devices", 1));
  driver.capability = static_cast<int>(setting("capability", 90));
  driver.context = static_cast<int>(setting("context", 0));
  driver.graphs = static_cast<int>(setting("graphs", 1));
  driver.changes = static_cast<int>(setting("changes", 1));
  driver.idle = static_cast<int>(setting("idle", 0));
  driver.lost = setting("lost", -1);
  driver.memory = static_cast<size_t>(setting("memory", 1L << 32));
  driver.started = driver.devices > 0;
  return driver.started ? 0 : noDevice;
}

int cuDriverGetVersion(int *version) {
  *version = driver.version;
  return 0;
}

int cuGetErrorName(int code, const char **name) {
  *name = code == launchFailed    ? "CUDA_ERROR_LAUNCH_FAILED"
          : code == outOfMemory   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == noDevice      ? "CUDA_ERROR_NO_DEVICE"
          : code == invalidValue  ? "CUDA_ERROR_INVALID_VALUE"
          : code == notFound      ? "CUDA_ERROR_NOT_FOUND"
          : code == illegalState  ? "CUDA_ERROR_ILLEGAL_STATE"
          : code == invalidDevice ? "CUDA_ERROR_INVALID_DEVICE"
                                  : nullptr;
  return *name ? 0 : invalidValue;
}

int cuGetErrorString(int code, const char **sentence) {
  *sentence = code == launchFailed ? "unspecified launch failure" : "as the fake driver has it";
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = driver.devices;
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal < driver.devices ? 0 : invalidDevice;
}

int cuDeviceGetName(char *name, int room, int) {
  snprintf(name, static_cast<size_t>(room), "Fake");
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? driver.capability / 10 : driver.capability % 10;
  return attribute == 75 || attribute == 76 ? 0 : invalidValue;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = driver.memory;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &driver;
  driver.hasContext = driver.context == 0;
  return driver.context;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  log("left " + std::to_string(driver.device.pieces.size()));
  driver.isLost = driver.hasContext = false;
  driver.launches = 0;
  return 0;
}

int cuCtxSetCurrent(void *context) {
  return !context || driver.hasContext ? 0 : invalidValue;
}

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *total = driver.memory;
  *free = driver.memory - driver.device.used;
  return 0;
}

int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (driver.isLost || bytes == 0)
    return driver.isLost ? launchFailed : invalidValue;
  if (bytes > driver.memory - driver.device.used)
    return outOfMemory;
  void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  memset(memory, driver.idle ? 0 : 0xff, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  driver.device.pieces[*address] = bytes;
  driver.device.used += bytes;
  return 0;
}

int cuMemFree_v2(unsigned long long address) {
  finish();
  auto found = driver.device.pieces.find(address);
  if (found == driver.device.pieces.end())
    return invalidValue;
  driver.device.used -= found->second;
  driver.device.pieces.erase(found);
  free(memoryAt(address));
  return 0;
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  *memory = malloc(bytes);
  return 0;
}

int cuMemFreeHost(void *memory) {
  free(memory);
  return 0;
}

int cuStreamCreate(void **stream, unsigned) {
  *stream = &driver.stream;
  return 0;
}

int cuStreamDestroy_v2(void *) {
  return 0;
}

int cuStreamSynchronize(void *) {
  return finish();
}

int cuEventCreate(void **event, unsigned) {
  *event = &driver;
  return 0;
}

int cuEventDestroy_v2(void *) {
  return 0;
}

int cuEventRecord(void *, void *) {
  return 0;
}

int cuEventSynchronize(void *) {
  return finish();
}

int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.25;
  return 0;
}

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *) {
  if (!isPiece(to, bytes))
    return invalidValue;
  return ask([=] { return memcpy(memoryAt(to), from, bytes), 0; });
}

int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *) {
  if (!isPiece(from, bytes))
    return invalidValue;
  return ask([=] { return memcpy(to, memoryAt(from), bytes), 0; });
}

int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, size_t bytes, void *) {
  if (!isPiece(to, bytes) || !isPiece(from, bytes))
    return invalidValue;
  return ask([=] { return memcpy(memoryAt(to), memoryAt(from), bytes), 0; });
}

int cuMemcpy2DAsync_v2(const Copy2D *given, void *) {
  Copy2D copy = *given;
  size_t last = copy.height - 1;
  if (copy.fromKind != 2 || copy.toKind != 2 || copy.width > copy.fromPitch ||
      copy.width > copy.toPitch || !isPiece(copy.to, last * copy.toPitch + copy.width) ||
      !isPiece(copy.from, last * copy.fromPitch + copy.width))
    return invalidValue;
  return ask([=] {
    for (size_t row = 0; row < copy.height; ++row)
      memcpy(memoryAt(copy.to + row * copy.toPitch), memoryAt(copy.from + row * copy.fromPitch),
             copy.width);
    return 0;
  });
}

int cuMemsetD8Async(unsigned long long to, unsigned char value, size_t bytes, void *) {
  if (!isPiece(to, bytes))
    return invalidValue;
  return ask([=] { return memset(memoryAt(to), value, bytes), 0; });
}
}
