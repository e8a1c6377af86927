// Keeping, changing and playing graphs.
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
  pause -= pause > 0;
  bool isWhole = true;
  if (graph && of != last) {
    device.beginUpdate(*graph);
    isWhole = launches();
    if (!device.endUpdate())
      graph.reset();
  } else if (!graph && !last.empty() && !refused && pause == 0 && device.failure()) {
    // Making one costs as much as some runs: where launches differ each time, that is not lost
    // often.
    constexpr int dearerThanARun = 4;
    pause = dearerThanARun;
    refused = !device.beginGraph();
    if (!refused) {
      isWhole = launches();
      graph = device.endGraph();
    }
  }
  if (!isWhole) // and nothing was done
    return forget();
  if (graph)
    device.play(*graph);
  else
    isWhole = launches();
  last = isWhole ? std::move(of) : std::vector<int64_t>();
}
