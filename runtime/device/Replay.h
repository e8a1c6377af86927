// What an entry launches on a device, kept as a graph once it is asked for again.
#ifndef WEFT_RUNTIME_DEVICE_REPLAY_H
#define WEFT_RUNTIME_DEVICE_REPLAY_H

#include "runtime/device/Device.h"

#include <functional>

namespace weft::runtime {

/// An entry asks for the same launches again and again. The second time they are kept while they
/// are asked for, and from then on played: one call of the driver for all of them. At other sizes
/// or addresses, as for each token that is decoded, the entry is asked again, and what its launches
/// are given is changed in the graph where it differs; if they are other launches, it is made anew.
class Replay {
public:
  /// `of`: sizes and addresses, on which all depends that is asked for. `launches` gives false
  /// where it has left something out.
  void run(Device &device, std::vector<int64_t> of, const std::function<bool()> &launches);
  void forget();
  bool isKept() const { return graph != nullptr; }

private:
  std::vector<int64_t> last;
  std::unique_ptr<DeviceGraph> graph;
  bool refused = false; // by the driver
  int pause = 0;        // runs until a graph is made again
};

} // namespace weft::runtime
#endif
