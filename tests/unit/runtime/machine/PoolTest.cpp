// The pool runs every chunk exactly once, whatever the number of threads; weft_launch covers every
// task.
#include "runtime/machine/Pool.h"
#include "runtime/Abi.h"

#include <functional>
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

/// As many as no test can wait for: a child ends with the first few hundred.
TEST(PoolDeathTest, MoreChunksThanThirtyTwoBitsCount) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (int64_t chunks : {(int64_t(1) << 31) + 3, (int64_t(1) << 32) + 3, INT64_MAX})
    EXPECT_EXIT(
        {
          alarm(30); // where chunks are nobody's
          static std::atomic<int> done{0};
          static int64_t most;
          most = chunks;
          auto pool = Pool::start(3, false);
          pool->run(
              chunks,
              [](void *, int64_t chunk, int) {
                if (chunk < 0 || chunk >= most || chunk > 100000000) // not from the first on
                  _exit(1);
                if (++done == 500)
                  _exit(0);
              },
              nullptr);
          _exit(2);
        },
        testing::ExitedWithCode(0), "");
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

// More threads than any machine of ours has cores: who is off its core is not waited for.
TEST(Pool, MoreThreadsThanCores) {
  auto pool = Pool::start(64, true);
  for (int i = 0; i < 300; ++i)
    expectOnce(*pool, 1 + i * 37 % 600);
}

/// Whether it comes about within a minute; asked for without a time that it must take.
static bool comesAbout(const std::function<bool()> &happened) {
  for (int i = 0; i < 60000; ++i) {
    if (happened())
      return true;
    usleep(1000);
  }
  return false;
}

TEST(Pool, LeavesTheMachineWhenIdle) {
  auto pool = Pool::start(5, false);
  for (int i = 0; i < 3; ++i) {
    expectOnce(*pool, 100);
    EXPECT_TRUE(comesAbout([&] { return pool->asleep() == 4; })) << pool->asleep();
  }
}

TEST(Pool, WakesNoMoreThanFindSomethingToDo) {
  auto pool = Pool::start(9, false);
  ASSERT_TRUE(comesAbout([&] { return pool->asleep() == 8; }));
  struct Context {
    Pool &pool;
    std::atomic<int> &fewestAsleep;
  };
  std::atomic<int> fewest{9};
  Context context{*pool, fewest};
  pool->run(
      3,
      [](void *argument, int64_t, int) {
        auto &[pool, fewest] = *static_cast<Context *>(argument);
        for (int i = 0; i < 200; ++i) { // who finds nothing falls asleep again
          fewest = std::min(fewest.load(), pool.asleep());
          usleep(100);
        }
      },
      &context);
  EXPECT_GE(fewest, 6); // of eight, two for the two chunks that the caller does not do
}

TEST(Pool, TheCallerSleepsToo) {
  auto pool = Pool::start(2, false);
  struct Context {
    Pool &pool;
    std::atomic<int> taken{0};
    std::atomic<bool> slept{false};
  };
  for (int i = 0; i < 3; ++i) {
    Context context{*pool};
    pool->run(
        2,
        [](void *argument, int64_t, int worker) {
          auto &context = *static_cast<Context *>(argument);
          ++context.taken;
          // each thread has a chunk; then the caller is done with its own
          comesAbout([&] { return context.taken == 2; });
          if (worker == 1)
            context.slept = comesAbout([&] { return context.pool.asleep() == 1; });
        },
        &context);
    EXPECT_TRUE(context.slept);
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
