// Fork-join: a job is published by an epoch, chunks are taken from a ticket, idle threads wait on a
// futex.
#include "runtime/threads/Pool.h"

#include "runtime/threads/Cores.h"
#include "runtime/threads/Denormals.h"

#include <climits>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::runtime;

// A pause is about 40 ns: yield after 40 us (who waits may be on the core of who works), sleep
// after about a millisecond.
static constexpr int spinsBeforeYield = 1000, spinsBeforeSleep = 20000, spinsPerYield = 64;

static void pauseOrYield(int spins) {
  if (spins > spinsBeforeYield && spins % spinsPerYield == 0)
    sched_yield();
  else
    _mm_pause();
}

std::unique_ptr<WeftPool> WeftPool::start(int threads, bool pin) {
  std::unique_ptr<WeftPool> pool(new WeftPool);
  std::vector<int> processors = allowedProcessors();
  // With fewer threads than cores another process may pin itself to the same ones, so only a full
  // house is pinned.
  pin = pin && threads > 1 && threads == static_cast<int>(processors.size());
  for (int i = 1; i < threads; ++i) {
    auto worker = std::make_unique<Worker>(Worker{pool.get(), i, pin ? processors[i] : -1, {}});
    if (pthread_create(&worker->thread, nullptr, main, worker.get()) != 0)
      break;
    pool->workers.push_back(std::move(worker));
  }
  if (pin)
    stayOn(processors[0]);
  return pool;
}

WeftPool::~WeftPool() {
  stopping.store(true);
  epoch.fetch_add(1);
  syscall(SYS_futex, &epoch, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  for (auto &worker : workers)
    pthread_join(worker->thread, nullptr);
}

void *WeftPool::main(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  if (worker->processor >= 0)
    stayOn(worker->processor);
  ignoreDenormals();
  worker->pool->serve(worker->number);
  return nullptr;
}

void WeftPool::serve(int number) {
  for (uint32_t seen = 0;;) {
    seen = awaitJob(seen);
    if (stopping.load())
      return;
    work(seen, number);
  }
}

uint32_t WeftPool::awaitJob(uint32_t seen) {
  for (int spins = 0;; ++spins) {
    uint32_t now = epoch.load(std::memory_order_acquire);
    if (now != seen)
      return now;
    if (spins < spinsBeforeSleep) {
      pauseOrYield(spins);
      continue;
    }
    sleepers.fetch_add(
        1); // before the second look, so that run() sees either a sleeper or a late arrival
    if (epoch.load() == seen)
      syscall(SYS_futex, &epoch, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    sleepers.fetch_sub(1);
    spins = 0;
  }
}

void WeftPool::work(uint32_t current, int worker) {
  for (;;) {
    uint64_t taken = ticket.load();
    if (static_cast<uint32_t>(taken >> 32) != current)
      return;
    Job doChunk = job.load();
    void *argument = context.load();
    auto chunk = static_cast<int64_t>(taken & 0xffffffffu);
    if (chunk >= chunks.load())
      return;
    if (!ticket.compare_exchange_weak(taken, taken + 1))
      continue;
    doChunk(argument, chunk, worker);
    done.fetch_add(1, std::memory_order_release);
  }
}

void WeftPool::run(int64_t count, Job work_, void *argument) {
  if (workers.empty() || count <= 1) {
    for (int64_t i = 0; i < count; ++i)
      work_(argument, i, 0);
    return;
  }
  uint32_t current = epoch.load() + 1;
  // Closed while the job changes: who is late from the last one could find its used up ticket good
  // for the new count.
  uint64_t opened = static_cast<uint64_t>(current) << 32;
  ticket.store(opened | 0xffffffffu);
  job.store(work_);
  context.store(argument);
  chunks.store(count);
  done.store(0);
  ticket.store(opened);
  epoch.store(current);
  if (sleepers.load() > 0)
    syscall(SYS_futex, &epoch, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  work(current, 0);
  for (int spins = 0; done.load(std::memory_order_acquire) < count; ++spins)
    pauseOrYield(spins);
}
