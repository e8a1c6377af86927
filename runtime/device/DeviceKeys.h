// The keys of random numbers that an entry writes in a run on a device.
#ifndef WEFT_RUNTIME_DEVICE_DEVICEKEYS_H
#define WEFT_RUNTIME_DEVICE_DEVICEKEYS_H

#include "runtime/device/CodeMemory.h"

#include <array>
#include <deque>

namespace weft::runtime {

/// At the same sizes an entry writes as many keys in every run, and of a key only seed and step
/// change. So from the second run on all are copied in at once, before the run, and each is copied
/// from there to its place: what the entry asks for is the same each time, and can be played again.
class DeviceKeys {
public:
  /// Begins a run.
  Status begin(Device &device, uint64_t seed, uint64_t step);
  /// A key of the run, as weft_random_key() has it.
  void write(Device &device, void *key, uint64_t first);
  /// Ends it.
  void end();
  /// The next run is at other sizes. Whether there were any keys: then what it asks for differs.
  bool forget();

private:
  using Words = std::array<uint64_t, 3>;
  uint64_t seed = 0, step = 0;
  std::vector<uint64_t> firsts; // of the run before
  std::vector<Words> all;       // of this run, as they are copied in
  std::deque<Words> single;     // keys that are copied in one by one
  CodeMemory table;
  size_t next = 0;
  bool known = false;
};

} // namespace weft::runtime
#endif
