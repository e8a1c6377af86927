// The state of the driver that is none (FakeDriver.cpp), and what its functions share.
#ifndef WEFT_TESTS_UNIT_RUNTIME_DEVICE_FAKEDRIVER_H
#define WEFT_TESTS_UNIT_RUNTIME_DEVICE_FAKEDRIVER_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fake {
using Work = std::function<int()>;
using Kernel = void (*)(void *const *);

constexpr int invalidValue = 1, outOfMemory = 2, noDevice = 100, invalidDevice = 101,
              notFound = 500, launchFailed = 719, illegalState = 401;

struct Device {
  std::map<unsigned long long, size_t> pieces;
  size_t used = 0;
};

struct Function {
  std::string name;
  Kernel code = nullptr;
  size_t sizes = 0, buffers = 0, maps = 0;
  unsigned mostShared = 0;
};

struct Driver {
  std::map<std::string, Function> functions;
  bool started = false;
  int version = 13000, devices = 1, capability = 90, context = 0, graphs = 1;
  long lost = -1;
  size_t memory = size_t(1) << 32;
  Device device;
  bool hasContext = false, isLost = false;
  long launches = 0;
  std::vector<Work> stream, *captured = nullptr;
};
extern Driver driver;

/// A number that FAKE_CUDA names.
long setting(const char *name, long otherwise);
void log(const std::string &line);
/// Puts work into the stream, or into what is captured.
int ask(Work work);
/// Does all of it.
int finish();

/// Whether all of these bytes were allocated.
inline bool isPiece(unsigned long long address, size_t bytes) {
  auto behind = driver.device.pieces.upper_bound(address);
  if (behind == driver.device.pieces.begin())
    return false;
  auto [start, size] = *--behind;
  return address - start + bytes <= size;
}

inline char *memoryAt(unsigned long long address) {
  return reinterpret_cast<char *>(static_cast<uintptr_t>(address));
}

} // namespace fake
#endif
