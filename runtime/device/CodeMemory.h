// Memory that nobody but code of kernels touches: on the device, or on this machine.
#ifndef WEFT_RUNTIME_DEVICE_CODEMEMORY_H
#define WEFT_RUNTIME_DEVICE_CODEMEMORY_H

#include "runtime/base/Block.h"
#include "runtime/device/Device.h"

namespace weft::runtime {

inline constexpr const char *smallerBatch = "use a smaller batch or shorter sequences";

/// Where memory is taken: on a device, or on this machine (nullptr), there from these NUMA nodes in
/// turn, if there are any (Block::create).
struct MemorySource {
  MemorySource(Device *device = nullptr, std::span<const int> nodes = {})
      : device(device), nodes(nodes) {}
  Device *device;
  std::span<const int> nodes; // must live while memory is taken
};

class CodeMemory {
public:
  CodeMemory() = default;
  /// A device must outlive the memory. What it holds is not said.
  static Result<CodeMemory> create(MemorySource source, int64_t bytes, const std::string &purpose,
                                   const char *advice = smallerBatch);
  ~CodeMemory();
  CodeMemory(CodeMemory &&other) noexcept { *this = std::move(other); }
  CodeMemory &operator=(CodeMemory &&other) noexcept;

  char *data() const { return start; }
  int64_t size() const { return bytes; }
  /// As Block.
  void poison();

private:
  Device *device = nullptr;
  Block block; // of this machine
  char *start = nullptr;
  int64_t bytes = 0;
};

} // namespace weft::runtime
#endif
