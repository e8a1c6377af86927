// Graphs of the emulated device: work that is put into its list again each time.
#include "runtime/device/emulated/EmulatedDevice.h"

using namespace weft::runtime;

struct EmulatedDevice::EmulatedGraph : DeviceGraph {
  std::vector<Work> works; // one a step
};

bool EmulatedDevice::doBeginGraph() {
  graphBegin = asked.size();
  return true;
}

std::unique_ptr<DeviceGraph> EmulatedDevice::doEndGraph() {
  auto graph = std::make_unique<EmulatedGraph>();
  auto begin = asked.begin() + static_cast<int64_t>(graphBegin);
  graph->works.assign(begin, asked.end());
  asked.erase(begin, asked.end());
  return graph;
}

bool EmulatedDevice::doChange(DeviceGraph &graph, size_t step, const WeftDeviceKernel &kernel,
                              const Parameters &parameters, int64_t blocks) {
  Result<Work> launch = launchOf(kernel, parameters, blocks);
  if (launch)
    static_cast<EmulatedGraph &>(graph).works[step] = std::move(*launch);
  return static_cast<bool>(launch);
}

bool EmulatedDevice::doChange(DeviceGraph &graph, size_t step, void *to, const void *from,
                              int64_t bytes) {
  Result<Work> copy = copyOf(to, from, {bytes, bytes, bytes, 1});
  if (copy)
    static_cast<EmulatedGraph &>(graph).works[step] = std::move(*copy);
  return static_cast<bool>(copy);
}

Status EmulatedDevice::doPlay(DeviceGraph &graph) {
  const std::vector<Work> &works = static_cast<EmulatedGraph &>(graph).works;
  asked.insert(asked.end(), works.begin(), works.end());
  return success();
}
