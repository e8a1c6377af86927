// The state of the driver that is none (FakeDriver.cpp), and what its functions share.
#ifndef WEFT_TESTS_UNIT_RUNTIME_DEVICE_FAKEDRIVER_H
#define WEFT_TESTS_UNIT_RUNTIME_DEVICE_FAKEDRIVER_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

struct Graph;
/// Of the graph that it was captured in; it knows its place there.
struct Node {
  Graph *graph;
  size_t number;
  unsigned shared; // bytes; of a copy none
};
struct Graph {
  std::vector<Work> works;
  std::vector<std::unique_ptr<Node>> nodes;
};

struct Driver {
  std::map<std::string, Function> functions;
  bool started = false;
  int version = 13000, devices = 1, capability = 90, context = 0, graphs = 1, changes = 1, idle = 0;
  long lost = -1;
  size_t memory = size_t(1) << 32;
  Device device;
  bool hasContext = false, isLost = false;
  long launches = 0;
  std::vector<Work> stream;
  Graph *captured = nullptr;
  bool isSpoilt = false; // what is captured
};
extern Driver driver;

/// A number that FAKE_CUDA names.
long setting(const char *name, long otherwise);
void log(const std::string &line);
/// Puts work into the stream, or into what is captured.
int ask(Work work, unsigned shared = 0);
/// Does all of it.
int finish();
/// What a launch does, with copies of all that it is given by value; an error of the driver.
int launchOf(const Function &function, unsigned blocks, unsigned threads, unsigned shared,
             void **parameters, Work &work);

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
