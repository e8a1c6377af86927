// How long each kernel takes on a device.
#ifndef WEFT_RUNTIME_DEVICE_KERNELTIMES_H
#define WEFT_RUNTIME_DEVICE_KERNELTIMES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::runtime {

/// Adds up launches by kernel.
class KernelTimes {
public:
  struct Kernel {
    std::string name;
    int64_t launches = 0;
    double seconds = 0; ///< of all launches
  };
  void add(const std::string &kernel, double seconds);
  /// Those that take longest come first.
  std::vector<Kernel> sorted() const;

private:
  std::map<std::string, Kernel> kernels;
};

} // namespace weft::runtime
#endif
