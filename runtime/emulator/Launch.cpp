// Clusters of blocks, each on memory that nothing has written, dealt out to threads of this
// machine.
#include "runtime/emulator/Launch.h"

#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Products.h"
#include "runtime/emulator/Profile.h"
#include "runtime/emulator/Workers.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace weft::emulator {

/// Accesses of one launch are in no order with each other, but after those of the launch before.
static uint32_t nextLaunch() {
  static std::atomic<uint32_t> last = 0;
  return ++last;
}

static std::string problemOf(const Grid &grid) {
  auto text = [](uint64_t number) { return std::to_string(number); };
  if (grid.threads == 0 || grid.threads % lanesOfWarp || grid.threads > mostThreads)
    return "a block has 32 to 1024 threads, in whole warps, not " + text(grid.threads);
  if (grid.cluster == 0 || grid.cluster > 8 || grid.blocks[0] % grid.cluster)
    return "a cluster has 1 to 8 blocks, of which a row of the grid (" + text(grid.blocks[0]) +
           ") has whole ones, not " + text(grid.cluster);
  if (grid.shared > mostShared)
    return "a block has at most " + text(mostShared) + " bytes of shared memory, not " +
           text(grid.shared);
  return "";
}

namespace {
/// What the threads of this machine that run one launch share.
class Running {
public:
  Running(Kernel kernel, void *const *arguments, const Grid &grid, const Mode &mode, Counts &counts)
      : kernel(kernel), arguments(arguments), grid(grid), mode(mode), counts(counts),
        clusters(uint64_t(grid.blocks[0]) / grid.cluster * grid.blocks[1] * grid.blocks[2]) {}

  void work() {
    Machine &machine = Machine::own();
    static GlobalWords &words = *new GlobalWords;
    Cluster cluster(grid, mode, launch, *machine.stacks, machine.shared(grid.cluster),
                    mode.races ? &words : nullptr);
    uint64_t row = grid.blocks[0] / grid.cluster;
    for (uint64_t i; !failed && (i = taken++) < clusters;) {
      uint64_t at = mode.seed == 1 ? clusters - 1 - i : i;
      unsigned position[3] = {unsigned(at % row * grid.cluster),
                              unsigned(at / row % grid.blocks[1]),
                              unsigned(at / row / grid.blocks[1])};
      if (auto text = cluster.run(position, kernel, arguments)) {
        machine.discardStacks();
        std::lock_guard guard(mutex);
        failed = true;
        if (i < first) {
          first = i;
          problem = text;
        }
      }
    }
    std::lock_guard guard(mutex);
    counts.add(cluster.counts);
  }

  std::optional<std::string> problem;

private:
  Kernel kernel;
  void *const *arguments;
  const Grid &grid;
  const Mode &mode;
  Counts &counts;
  const uint64_t clusters;
  const uint32_t launch = nextLaunch();
  std::atomic<uint64_t> taken = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  uint64_t first = UINT64_MAX;
};
} // namespace

std::optional<std::string> launch(Kernel kernel, void *const *arguments, const Grid &grid,
                                  const Mode &mode, Counts &counts) {
  if (std::string text = problemOf(grid); !text.empty())
    return text;
  Running running(kernel, arguments, grid, mode, counts);
  unsigned workers = mode.workers ? mode.workers : std::thread::hardware_concurrency();
  uint64_t blocks = uint64_t(grid.blocks[0]) * grid.blocks[1] * grid.blocks[2];
  onWorkers(unsigned(std::min<uint64_t>(workers, blocks / grid.cluster)), [&] { running.work(); });
  counts.blocks += blocks;
  counts.threads += blocks * grid.threads;
  return running.problem;
}

} // namespace weft::emulator
