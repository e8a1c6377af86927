// Graphs of the driver that is none. Where a node does not belong to what is changed, or its graph
// is gone, that is refused, as drivers say they do.
#include "tests/unit/runtime/device/FakeDriver.h"

#include <cstring>
#include <set>
#include <utility>

using namespace fake;

namespace {
struct Executable {
  const Graph *from;
  std::vector<Work> works;
};
std::set<const Graph *> graphs; // that were not destroyed

/// CUDA_KERNEL_NODE_PARAMS of version 2, and CUDA_MEMCPY3D.
struct KernelNode {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
  void *kernel, *context;
};
struct Copy3D {
  struct Side {
    size_t x, y, z, level;
    int kind;
    const void *host;
    unsigned long long device;
    void *array, *reserved;
    size_t pitch, height;
  } from, to;
  size_t width, height, depth;
};

bool isChangeable(const Executable &executable, const Node *node) {
  return driver.changes && graphs.count(executable.from) && node->graph == executable.from;
}
} // namespace

extern "C" {

int cuStreamBeginCapture_v2(void *, unsigned) {
  if (!driver.graphs)
    return illegalState;
  driver.captured = new Graph();
  return 0;
}

int cuStreamGetCaptureInfo_v2(void *, int *status, unsigned long long *, void **, Node ***last,
                              size_t *count) {
  static Node *newest;
  *status = driver.captured != nullptr;
  if (!driver.captured)
    return 0;
  *count = !driver.captured->nodes.empty();
  newest = *count ? driver.captured->nodes.back().get() : nullptr;
  *last = &newest;
  return 0;
}

int cuStreamEndCapture(void *, void **graph) {
  graphs.insert(driver.captured);
  *graph = driver.captured;
  driver.captured = nullptr;
  return std::exchange(driver.isSpoilt, false) ? illegalState : 0;
}

int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  auto *from = static_cast<Graph *>(graph);
  *executable = new Executable{from, from->works};
  log("graph of " + std::to_string(from->works.size()));
  return 0;
}

int cuGraphExecKernelNodeSetParams_v2(void *executable, Node *node, const KernelNode *given) {
  auto &made = *static_cast<Executable *>(executable);
  if (!isChangeable(made, node) || given->shared != node->shared)
    return invalidValue;
  log("changed");
  return launchOf(*static_cast<Function *>(given->function), given->grid[0], given->block[0],
                  given->shared, given->parameters, made.works[node->number]);
}

int cuGraphExecMemcpyNodeSetParams(void *executable, Node *node, const Copy3D *given, void *) {
  auto &made = *static_cast<Executable *>(executable);
  unsigned long long to = given->to.device, from = given->from.device;
  size_t bytes = given->width;
  bool isLine =
      given->height == 1 && given->depth == 1 && given->to.kind == 2 && given->from.kind == 2;
  if (!isChangeable(made, node) || !isLine || !isPiece(to, bytes) || !isPiece(from, bytes))
    return invalidValue;
  log("changed");
  made.works[node->number] = [=] { return memcpy(memoryAt(to), memoryAt(from), bytes), 0; };
  return 0;
}

int cuGraphLaunch(void *executable, void *) {
  log("play");
  for (const Work &each : static_cast<Executable *>(executable)->works)
    if (int code = ask(each))
      return code;
  return 0;
}

int cuGraphDestroy(void *graph) {
  graphs.erase(static_cast<Graph *>(graph));
  delete static_cast<Graph *>(graph);
  return 0;
}

int cuGraphExecDestroy(void *executable) {
  delete static_cast<Executable *>(executable);
  return 0;
}
}
