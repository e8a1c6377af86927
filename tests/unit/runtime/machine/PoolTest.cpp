// The pool runs every chunk exactly once, whatever the number of threads; weft_launch covers every
// task.
#include "runtime/machine/Pool.h"
#include "runtime/Abi.h"
#include "runtime/machine/Cores.h"

#include <gtest/gtest.h>
#include <unistd.h>

using namespace weft::runtime;

namespace {
struct Counts {
  std::vector<std::atomic<int>> byChunk;
  std::atomic<bool> workerInRange{true};
  int threads;
};

void count(void *context, int64_t chunk, int worker) {
  auto &counts = *static_cast<Counts *>(context);
  counts.byChunk[chunk].fetch_add(1, std::memory_order_relaxed);
  if (worker < 0 || worker >= counts.threads)
    counts.workerInRange = false;
}

void expectOnce(Pool &pool, int64_t chunks) {
  Counts counts{std::vector<std::atomic<int>>(chunks), true, pool.threads()};
  pool.run(chunks, count, &counts);
  for (int64_t i = 0; i < chunks; ++i)
    ASSERT_EQ(counts.byChunk[i], 1) << "chunk " << i << " of " << chunks;
  EXPECT_TRUE(counts.workerInRange);
}
} // namespace

TEST(Pool, RunsEveryChunkOnce) {
  for (int threads : {1, 2, 3, 8}) {
    auto pool = Pool::start(threads, false);
    EXPECT_EQ(pool->threads(), threads);
    for (int64_t chunks : {0, 1, 2, 3, 7, 64, 1000})
      expectOnce(*pool, chunks);
  }
}

TEST(Pool, ManyShortJobs) {
  auto pool = Pool::start(3, false);
  for (int i = 0; i < 20000; ++i)
    expectOnce(*pool, 1 + i % 5);
}

TEST(Pool, WakesSleepers) {
  auto pool = Pool::start(2, true);
  for (int i = 0; i < 5; ++i) {
    usleep(30000); // longer than workers spin
    expectOnce(*pool, 10);
  }
}

namespace {
// buffers[0]: one int a task; scratch: marked while in use, to see that no two workers share it
void mark(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end, char *scratch) {
  auto *tasks = static_cast<int32_t *>(buffers[0]);
  bool shared = __atomic_exchange_n(scratch, 1, __ATOMIC_ACQUIRE) != 0;
  for (int64_t i = begin; i < end; ++i)
    tasks[i] += shared ? 1000 : static_cast<int32_t>(sizes[0]);
  __atomic_store_n(scratch, 0, __ATOMIC_RELEASE);
}
} // namespace

TEST(Launch, CoversEveryTaskWithOwnScratch) {
  for (int threads : {0, 1, 2, 5}) {
    auto pool = threads ? Pool::start(threads, false) : nullptr;
    for (int64_t tasks : {0, 1, 2, 17, 1000}) {
      int64_t size = 1;
      std::vector<int32_t> done(tasks, 0);
      std::vector<char> scratch(64 * 5, 0);
      void *buffers[] = {done.data()};
      WeftCall call{};
      call.sizes = &size;
      call.scratch = scratch.data();
      call.scratch_stride = 64;
      call.pool = pool.get();
      weft_launch(&call, mark, buffers, tasks);
      for (int64_t i = 0; i < tasks; ++i)
        ASSERT_EQ(done[i], 1) << "task " << i << " of " << tasks;
    }
  }
}

namespace {
std::atomic<int64_t> tasksDone;
Pool *cancelledIn;

/// Cancels in its first task.
void cancelFirst(const int64_t *, void *const *, int64_t begin, int64_t end, char *) {
  if (begin == 0)
    cancelledIn->cancel(true);
  tasksDone += end - begin;
}
} // namespace

TEST(Launch, LeavesOutWhatComesAfterCancelling) {
  for (int threads : {1, 3})
    for (bool mayStop : {false, true}) {
      auto pool = Pool::start(threads, false);
      cancelledIn = pool.get();
      tasksDone = 0;
      WeftCall call{};
      call.pool = pool.get();
      pool->begin(mayStop);
      weft_launch(&call, cancelFirst, nullptr, 1000);
      EXPECT_TRUE(mayStop || tasksDone == 1000);
      // what was left out once is left out to the end, though it may go on by now
      bool skipped = pool->skips();
      EXPECT_EQ(skipped, mayStop);
      pool->cancel(false);
      int64_t before = tasksDone;
      weft_launch(&call, cancelFirst, nullptr, 7);
      EXPECT_EQ(tasksDone - before, mayStop ? 0 : 7);
      EXPECT_EQ(pool->hasSkipped(), mayStop);
      pool->cancel(false);
      pool->begin(mayStop);
      EXPECT_FALSE(pool->hasSkipped());
    }
}

TEST(Cores, AtLeastOne) {
  EXPECT_GE(availableCores(), 1);
  EXPECT_LE(availableCores(), static_cast<int>(allowedProcessors().size()));
}
