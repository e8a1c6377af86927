// The thread pool: fork-join over numbered chunks, by threads that spin a little and then sleep,
// the one that waits for the others too.
#ifndef WEFT_RUNTIME_MACHINE_POOL_H
#define WEFT_RUNTIME_MACHINE_POOL_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <sys/types.h>
#include <vector>

namespace weft::runtime {
class LaunchTimes;
class Lockstep;
} // namespace weft::runtime

/// Runs jobs of independent chunks. One caller at a time. The join counts finished chunks, not
/// workers, so a worker that the system has taken off its core before it took a chunk is not waited
/// for. Its threads block all signals but faults: the process has threads for those.
struct WeftPool {
public:
  /// Does chunk `chunk` on worker `worker` (0 is the calling thread).
  using Job = void (*)(void *context, int64_t chunk, int worker);

  /// `threads` counts the caller. `pin` keeps each thread, the caller too, on a core of its own.
  /// Where the system refuses a thread the pool has fewer: see threads().
  static std::unique_ptr<WeftPool> start(int threads, bool pin);
  ~WeftPool();
  WeftPool(const WeftPool &) = delete;

  int threads() const { return static_cast<int>(workers.size()) + 1; }
  /// The NUMA nodes that what its threads read is to lie beside in turn: any of them may get any
  /// chunk, and what one alone writes (weights that are read from a file) would all lie beside one
  /// node. None where one has a core for each thread: then memory is best where it was written.
  const std::vector<int> &nodes() const { return itsNodes; }
  /// What this process could run on before a thread was kept on a core.
  const std::vector<int> &processors() const { return itsProcessors; }
  /// Whether this process has made its threads: a forked child has the memory of a pool and none of
  /// its threads, and can do no more than destroy it.
  bool isOfThisProcess() const;
  /// Runs job(context, i, worker) for every i in [0, chunks), and returns when all are done.
  void run(int64_t chunks, Job job, void *context);

  /// How many of its threads sleep now, since there is nothing for them to do.
  int asleep() const { return sleepers.load() + static_cast<int>(callerSleeps.load()); }

  /// Says from any thread that what computes shall stop, until it says otherwise.
  void cancel(bool stop) { cancelled.store(stop); }
  bool isCancelled() const { return cancelled.load(std::memory_order_relaxed); }
  /// Begins a run of launches; one that `mayStop` leaves out the launches, or the chunks of one,
  /// that come after cancel(). Called by the thread that launches.
  void begin(bool mayStop);
  /// Whether to leave out what comes next.
  bool skips();
  /// Whether something was left out since begin().
  bool hasSkipped() const { return skipped.load(); }

  /// Where launches note when they began and ended, while somebody wants to know.
  weft::runtime::LaunchTimes *times = nullptr;
  /// Keeps launches in place of doing them, while several runs are to go side by side.
  weft::runtime::Lockstep *lockstep = nullptr;

private:
  struct Worker {
    WeftPool *pool;
    int number;
    std::vector<int> processors; // none: wherever
    pthread_t thread;
  };
  WeftPool();
  static void *main(void *worker);
  void serve(int number);
  uint32_t awaitJob(uint32_t seen);
  void work(int worker);
  void awaitDone(int64_t count);

  // Counts up to `usedUp`, from as far below as there are chunks. Who takes a number below may read
  // job, context and chunks: they change only when all chunks are done, this one too.
  static constexpr uint64_t usedUp = uint64_t(1) << 63;
  alignas(64) std::atomic<uint64_t> ticket{usedUp};
  alignas(64) std::atomic<int64_t> done{0};
  std::atomic<uint32_t> callerSleeps{0};
  alignas(64) std::atomic<uint32_t> epoch{0};
  std::atomic<int> sleepers{0};
  std::atomic<Job> job{nullptr};
  std::atomic<void *> context{nullptr};
  std::atomic<int64_t> chunks{0};
  std::atomic<bool> stopping{false}, cancelled{false};
  std::atomic<bool> skipped{false}; // from then on everything is, so that it cannot be forgotten
  bool mayStop = false;
  pid_t process;
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<int> itsNodes, itsProcessors;
};

namespace weft::runtime {
using Pool = ::WeftPool;
} // namespace weft::runtime
#endif
