// What an entry launches on a device, kept as a graph once it is asked for again.
#ifndef WEFT_RUNTIME_DEVICE_REPLAY_H
#define WEFT_RUNTIME_DEVICE_REPLAY_H

#include "runtime/device/Device.h"

#include <functional>

namespace weft::runtime {

/// At the same sizes and addresses an entry asks for the same launches. The second time they are
/// kept while they are asked for, and from then on played: one call of the driver for all of them.
class Replay {
public:
  /// `of`: sizes and addresses. `launches` gives false where it has left something out.
  void run(Device &device, std::vector<int64_t> of, const std::function<bool()> &launches);
  void forget();
  bool isKept() const { return graph != nullptr; }

private:
  std::vector<int64_t> last;
  std::unique_ptr<DeviceGraph> graph;
  bool refused = false; // by the driver
};

} // namespace weft::runtime
#endif
