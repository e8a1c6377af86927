// Fork-join: a job is published by an epoch, chunks are taken from a ticket, idle threads wait on a
// futex.
#include "runtime/machine/Pool.h"

#include "runtime/machine/Cores.h"
#include "runtime/machine/Denormals.h"

#include <algorithm>
#include <climits>
#include <csignal>
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

namespace {
/// While it lives, threads that are made take no signals but those of their own faults, which a
/// host may want to report.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t others;
    sigfillset(&others);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
      sigdelset(&others, fault);
    pthread_sigmask(SIG_BLOCK, &others, &before);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;

private:
  sigset_t before;
};
} // namespace

WeftPool::WeftPool() : process(getpid()) {}

bool WeftPool::isOfThisProcess() const {
  return getpid() == process;
}

std::unique_ptr<WeftPool> WeftPool::start(int threads, bool pin) {
  std::unique_ptr<WeftPool> pool(new WeftPool);
  std::vector<int> processors = allowedProcessors();
  // With fewer threads than cores another process may pin itself to the same ones, so only a full
  // house is pinned.
  pin = pin && threads > 1 && threads == static_cast<int>(processors.size());
  SignalsBlocked blocked;
  pool->workers.reserve(static_cast<size_t>(std::max(threads, 1)));
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
  if (!isOfThisProcess())
    return;
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

void WeftPool::begin(bool mayStop_) {
  mayStop = mayStop_;
  skipped.store(false);
}

bool WeftPool::skips() {
  if (mayStop && isCancelled())
    skipped.store(true, std::memory_order_relaxed);
  return skipped.load(std::memory_order_relaxed);
}
