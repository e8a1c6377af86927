// Making graphs, and keeping them true: what a step was given by value stands beside it, so that a
// graph is played with other values only where it has got them.
#include "runtime/device/Device.h"

using namespace weft::runtime;

static uint64_t numberOf(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

Result<StepValues> WeftDevice::valuesOf(const WeftDeviceKernel &kernel,
                                        const Parameters &parameters, int64_t blocks) {
  StepValues values = {numberOf(&kernel), static_cast<uint64_t>(blocks),
                       numberOf(parameters.scratch)};
  for (uint32_t i = 0; i < (kernel.reads ? kernel.read : kernel.sizes); ++i)
    values.push_back(static_cast<uint64_t>(parameters.sizes[kernel.reads ? kernel.reads[i] : i]));
  for (uint32_t i = 0; i < kernel.buffers; ++i)
    values.push_back(numberOf(parameters.buffers[i]));
  Result<std::vector<WeftTensorMap>> tensors = describe(kernel, parameters);
  if (!tensors)
    return tensors.error();
  for (const WeftTensorMap &tensor : *tensors) {
    values.push_back(numberOf(tensor.base));
    values.insert(values.end(), tensor.sizes, tensor.sizes + 5);
    values.insert(values.end(), tensor.strides, tensor.strides + 4);
    values.insert(values.end(), tensor.box, tensor.box + 5);
    values.insert(values.end(), {tensor.rank, tensor.element_bytes, tensor.swizzle});
  }
  return values;
}

bool WeftDevice::isStep(StepValues values, const std::function<bool()> &change) {
  if (isKeeping)
    kept.push_back(std::move(values));
  if (!updated)
    return false;
  size_t step = reached++;
  if (!isWhole || step >= updated->steps.size() || values[0] != updated->steps[step][0])
    isWhole = false;
  else if (values != updated->steps[step] && (isWhole = change()))
    updated->steps[step] = std::move(values);
  return true;
}

bool WeftDevice::isNoStep() {
  bool isGraph = isKeeping || updated;
  isWhole &= !isGraph;
  return isGraph;
}

bool WeftDevice::beginGraph() {
  kept.clear();
  isWhole = true;
  return isKeeping = doBeginGraph();
}

std::unique_ptr<DeviceGraph> WeftDevice::endGraph() {
  isKeeping = false;
  std::unique_ptr<DeviceGraph> graph = doEndGraph();
  if (!isWhole || !graph)
    return nullptr;
  graph->steps = std::move(kept);
  return graph;
}

void WeftDevice::beginUpdate(DeviceGraph &graph) {
  updated = &graph;
  reached = 0;
  isWhole = true;
}

bool WeftDevice::endUpdate() {
  bool all = isWhole && reached == updated->steps.size();
  updated = nullptr;
  return all;
}

void WeftDevice::play(DeviceGraph &graph) {
  if (failed)
    note(doPlay(graph));
}
