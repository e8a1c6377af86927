// Fork-join: a job is published by an epoch, chunks are taken from a ticket, threads that have
// nothing to do wait on a futex.
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

static void wait(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void wake(std::atomic<uint32_t> &word, int most) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, most, nullptr, nullptr, 0);
}

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
  const std::vector<int> processors = allowedProcessors(); // before this thread is kept on a core
  std::vector<std::vector<int>> cores = coresOf(processors);
  pool->itsProcessors = processors;
  // With fewer threads than cores another process may pin itself to the same ones, so only a full
  // house is pinned.
  pin = pin && threads > 1 && threads == static_cast<int>(cores.size());
  SignalsBlocked blocked;
  pool->workers.reserve(static_cast<size_t>(std::max(threads, 1)));
  for (int i = 1; i < threads; ++i) {
    auto worker = std::make_unique<Worker>(
        Worker{pool.get(), i, pin ? cores[static_cast<size_t>(i)] : std::vector<int>(), {}});
    if (pthread_create(&worker->thread, nullptr, main, worker.get()) != 0)
      break;
    pool->workers.push_back(std::move(worker));
  }
  pool->itsNodes = nodesOfThreads(pool->threads(), processors);
  if (pin)
    stayOn(cores[0]);
  return pool;
}

WeftPool::~WeftPool() {
  if (!isOfThisProcess())
    return;
  stopping.store(true);
  epoch.fetch_add(1);
  wake(epoch, INT_MAX);
  for (auto &worker : workers)
    pthread_join(worker->thread, nullptr);
}

void *WeftPool::main(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  if (!worker->processors.empty())
    stayOn(worker->processors);
  ignoreDenormals();
  worker->pool->serve(worker->number);
  return nullptr;
}

void WeftPool::serve(int number) {
  for (uint32_t seen = 0;;) {
    seen = awaitJob(seen);
    if (stopping.load())
      return;
    work(number);
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
      wait(epoch, seen);
    sleepers.fetch_sub(1);
    spins = 0;
  }
}

// What a thread has done it says once: with many threads, each count of a shared number waits for
// the others' counts.
void WeftPool::work(int worker) {
  int64_t own = 0, count = 0;
  while (ticket.load(std::memory_order_relaxed) < usedUp) {
    uint64_t taken = ticket.fetch_add(1);
    if (taken >= usedUp)
      break;
    count = chunks.load();
    Job doChunk = job.load();
    doChunk(context.load(), static_cast<int64_t>(taken - (usedUp - static_cast<uint64_t>(count))),
            worker);
    ++own;
  }
  if (own > 0 && done.fetch_add(own) + own == count && callerSleeps.exchange(0))
    wake(callerSleeps, 1);
}

void WeftPool::run(int64_t count, Job work_, void *argument) {
  if (workers.empty() || count <= 1) {
    for (int64_t i = 0; i < count; ++i)
      work_(argument, i, 0);
    return;
  }
  // The ticket is used up while the job changes.
  job.store(work_);
  context.store(argument);
  chunks.store(count);
  done.store(0);
  ticket.store(usedUp - static_cast<uint64_t>(count));
  epoch.fetch_add(1);
  if (sleepers.load() > 0) // no more of them than find something to do
    wake(epoch, static_cast<int>(std::min<int64_t>(count - 1, INT_MAX)));
  work(0);
  awaitDone(count);
}

// Who computes the last chunks may have lost its core to another process, so the caller sleeps too,
// and the machine is left to those.
void WeftPool::awaitDone(int64_t count) {
  for (int spins = 0; done.load() < count; ++spins) {
    if (spins < spinsBeforeSleep) {
      pauseOrYield(spins);
      continue;
    }
    callerSleeps.store(1); // before the second look, so that work() sees it or is seen
    if (done.load() < count)
      wait(callerSleeps, 1);
  }
  callerSleeps.store(0);
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
