// Launches and copies that were kept, to be played again.
#ifndef WEFT_RUNTIME_DEVICE_GRAPH_H
#define WEFT_RUNTIME_DEVICE_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <vector>

struct WeftDevice;

namespace weft::runtime {

/// All that a launch, or a copy within the device, is given by value, and what is launched: two
/// that have the same numbers here do the same.
using StepValues = std::vector<uint64_t>;

class DeviceGraph {
public:
  virtual ~DeviceGraph() = default;

private:
  friend WeftDevice;
  std::vector<StepValues> steps; // as they are in it now
};

} // namespace weft::runtime
#endif
