// Keeping and playing graphs.
#include "runtime/device/Replay.h"

using namespace weft::runtime;

void Replay::forget() {
  last.clear();
  graph.reset();
}

void Replay::run(Device &device, std::vector<int64_t> of, const std::function<bool()> &launches) {
  if (device.times) { // a graph has no kernels to time
    launches();
    return;
  }
  if (of != last) {
    graph.reset();
    bool whole = launches();
    last = whole ? std::move(of) : std::vector<int64_t>();
    return;
  }
  if (!graph && !refused && device.failure()) {
    refused = !device.beginGraph();
    if (!refused) {
      bool whole = launches();
      graph = device.endGraph();
      if (!whole)
        return forget();
      refused = !graph;
    }
  }
  if (graph)
    device.play(*graph);
  else
    launches();
}
