// Graphs of a CUDA device: what is asked of the stream, captured, and its nodes changed one by one.
#include "runtime/device/cuda/CudaDevice.h"

#include <unistd.h>

using namespace weft::runtime;

namespace {
/// A node is changed by way of the graph that it was made in, which has to be there for that.
struct CudaGraph : DeviceGraph {
  CudaGraph(const cuda::Driver &driver, cuda::Graph graph) : driver(driver), graph(graph) {}
  ~CudaGraph() override {
    if (process != getpid())
      return;
    if (executable)
      driver.cuGraphExecDestroy(executable);
    driver.cuGraphDestroy(graph);
  }
  const cuda::Driver &driver;
  cuda::Graph graph;
  cuda::Executable executable = nullptr;
  std::vector<cuda::Node> nodes; // of each step, where the driver can change them
  pid_t process = getpid();
};
} // namespace

bool CudaDevice::doBeginGraph() {
  nodes.clear();
  return driver.hasGraphs() && enter() &&
         driver.cuStreamBeginCapture(stream, cuda::onlyThisThread) == 0;
}

/// The driver may have to wait for what runs before it has a kernel's code in place, which it does
/// not do while it captures.
bool CudaDevice::mayKeep(const WeftDeviceKernel &kernel) {
  return functions.count(&kernel) > 0;
}

/// What comes next in the stream would wait for what came last: so that is its node.
void CudaDevice::doKeep() {
  int status = 0;
  const cuda::Node *last = nullptr;
  size_t count = 0;
  bool isKnown =
      driver.changesGraphs() &&
      driver.cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, &count) == 0;
  nodes.push_back(isKnown && status == cuda::capturing && count == 1 ? *last : nullptr);
}

std::unique_ptr<DeviceGraph> CudaDevice::doEndGraph() {
  cuda::Graph captured = nullptr;
  if (driver.cuStreamEndCapture(stream, &captured) != 0 || !captured)
    return nullptr;
  auto graph = std::make_unique<CudaGraph>(driver, captured);
  if (driver.cuGraphInstantiateWithFlags(&graph->executable, captured, 0) != 0) {
    graph->executable = nullptr;
    return nullptr;
  }
  graph->nodes = std::move(nodes);
  return graph;
}

bool CudaDevice::doChange(DeviceGraph &graph, size_t step, const WeftDeviceKernel &kernel,
                          const Parameters &given, int64_t blocks) {
  auto &made = static_cast<CudaGraph &>(graph);
  Result<Launch> launch = launchOf(kernel, given);
  if (!launch || !made.nodes[step])
    return false;
  cuda::KernelNode node;
  node.function = launch->function;
  node.grid[0] = static_cast<unsigned>(blocks);
  node.block[0] = kernel.threads;
  node.sharedBytes = kernel.shared_bytes;
  node.parameters = launch->parameters.data();
  return driver.cuGraphExecKernelNodeSetParams(made.executable, made.nodes[step], &node) == 0;
}

bool CudaDevice::doChange(DeviceGraph &graph, size_t step, void *to, const void *from,
                          int64_t bytes) {
  auto &made = static_cast<CudaGraph &>(graph);
  if (!enter() || !made.nodes[step])
    return false;
  cuda::Copy3D copy;
  copy.from.device = reinterpret_cast<uintptr_t>(from);
  copy.to.device = reinterpret_cast<uintptr_t>(to);
  copy.width = static_cast<size_t>(bytes);
  return driver.cuGraphExecMemcpyNodeSetParams(made.executable, made.nodes[step], &copy, context) ==
         0;
}

Status CudaDevice::doPlay(DeviceGraph &graph) {
  enter();
  cuda::Code code = driver.cuGraphLaunch(static_cast<CudaGraph &>(graph).executable, stream);
  return code ? lost("what it computes", code) : success();
}
