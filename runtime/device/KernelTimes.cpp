// Adding up what kernels take.
#include "runtime/device/KernelTimes.h"

#include <algorithm>

using namespace weft::runtime;

void KernelTimes::add(const std::string &kernel, double seconds) {
  Kernel &own = kernels[kernel];
  own.name = kernel;
  ++own.launches;
  own.seconds += seconds;
}

std::vector<KernelTimes::Kernel> KernelTimes::sorted() const {
  std::vector<Kernel> all;
  for (const auto &[name, kernel] : kernels)
    all.push_back(kernel);
  std::stable_sort(all.begin(), all.end(),
                   [](const Kernel &a, const Kernel &b) { return a.seconds > b.seconds; });
  return all;
}
