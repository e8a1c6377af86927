// Runs side by side: the order of their tasks, what keeps them from going together.
#include "runtime/machine/Lockstep.h"

#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <random>

using namespace weft::runtime;

namespace {
/// What was computed: kernel, run and task, in order.
struct Done {
  int kernel;
  int64_t run, task;
  bool operator==(const Done &) const = default;
};
std::vector<Done> order;
std::mutex logged;

template <int number>
void note(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end, char *) {
  std::lock_guard lock(logged);
  for (int64_t task = begin; task < end; ++task) {
    order.push_back({number, sizes[0], task});
    ++static_cast<int64_t *>(buffers[number])[task]; // kernel 0 has one buffer, kernel 1 two
  }
}

const WeftNamedKernel kernels[] = {{note<1>, "one", 2}, {note<0>, "none", 1}, {}};

/// Runs of two kernels, which count their tasks in memory of each run.
struct Runs {
  explicit Runs(int threads) : pool(Pool::start(threads, false)) {}
  void ask(Lockstep &lockstep, int64_t run, int64_t tasks, bool again) {
    int64_t *places = counts[run];
    calls[run].sizes = &numbers[run];
    calls[run].pool = pool.get();
    calls[run].scratch = scratch;
    lockstep.begin(calls[run]);
    pool->lockstep = &lockstep;
    {
      void *list[] = {places};
      weft_launch(&calls[run], note<0>, list, tasks);
    } // the list is gone when the launch is done
    void *more[] = {nullptr, places};
    weft_launch(&calls[run], note<1>, more, 3);
    weft_copy(&calls[run], places + 50, places, 3 * sizeof(int64_t));
    if (again)
      weft_launch(&calls[run], note<1>, more, 1);
    pool->lockstep = nullptr;
  }
  std::unique_ptr<Pool> pool;
  int64_t numbers[3] = {0, 1, 2}, counts[3][100] = {};
  WeftCall calls[3] = {};
  char scratch[8] = {};
};
} // namespace

TEST(Lockstep, TaskByTaskAndLaunchByLaunch) {
  for (int threads : {1, 3}) {
    Runs runs(threads);
    Lockstep lockstep(kernels, 1, {});
    order.clear();
    for (int64_t run = 0; run < 3; ++run)
      runs.ask(lockstep, run, run == 1 ? 4 : 2, false);
    ASSERT_TRUE(order.empty()) << "nothing is done before all have asked";
    ASSERT_TRUE(lockstep.fits());
    runs.pool->begin(true);
    lockstep.play(*runs.pool);
    ASSERT_EQ(order.size(), 8u + 9);
    for (size_t i = 0; i < order.size(); ++i)
      EXPECT_EQ(order[i].kernel, i < 8 ? 0 : 1) << "launches are in order";
    if (threads == 1) {
      EXPECT_EQ(std::vector(order.begin(), order.begin() + 8), (std::vector<Done>{{0, 0, 0},
                                                                                  {0, 1, 0},
                                                                                  {0, 2, 0},
                                                                                  {0, 0, 1},
                                                                                  {0, 1, 1},
                                                                                  {0, 2, 1},
                                                                                  {0, 1, 2},
                                                                                  {0, 1, 3}}));
    }
    for (int64_t run = 0; run < 3; ++run)
      for (int64_t task = 0; task < 4; ++task) {
        int64_t wanted = (task < (run == 1 ? 4 : 2)) + (task < 3);
        EXPECT_EQ(runs.counts[run][task], wanted) << run << ", " << task;
        if (task < 3)
          EXPECT_EQ(runs.counts[run][50 + task], wanted) << "copies are in their place too";
      }
  }
}

TEST(Lockstep, OtherLaunchesDoNotGoTogether) {
  Runs runs(1);
  Lockstep lockstep(kernels, 1, {});
  order.clear();
  runs.ask(lockstep, 0, 1, false);
  EXPECT_TRUE(lockstep.fits());
  runs.ask(lockstep, 1, 1, true);
  EXPECT_FALSE(lockstep.fits());
  EXPECT_TRUE(order.empty());
}

TEST(Lockstep, WhatItDoesNotKnowDoesNotGoTogether) {
  Runs runs(1);
  const WeftNamedKernel fewer[] = {{note<1>, "one", 2}, {}};
  for (const WeftNamedKernel *known : {fewer, static_cast<const WeftNamedKernel *>(nullptr)}) {
    Lockstep lockstep(known, 1, {});
    runs.ask(lockstep, 0, 1, false);
    EXPECT_FALSE(lockstep.fits());
  }
  Lockstep keys(kernels, 1, {});
  runs.ask(keys, 0, 1, false);
  uint64_t key[3] = {7, 7, 7};
  runs.pool->lockstep = &keys;
  weft_random_key(&runs.calls[0], key, 5);
  runs.pool->lockstep = nullptr;
  EXPECT_FALSE(keys.fits());
  EXPECT_EQ(key[0], 7u);
}

/// A copy of what all runs write parts of would be one of before or after all of them.
TEST(Lockstep, CopiesOfWhatRunsShareDoNotGoTogether) {
  for (size_t at :
       {size_t(0), size_t(2), size_t(50), size_t(52), size_t(49), size_t(53), size_t(3)}) {
    Runs runs(1);
    std::span<const char> shared(reinterpret_cast<const char *>(&runs.counts[0][at]),
                                 sizeof(int64_t));
    Lockstep lockstep(kernels, 1, {shared});
    runs.ask(lockstep, 0, 1, false);
    EXPECT_EQ(lockstep.fits(), at == 49 || at == 53 || at == 3) << at;
  }
}

TEST(Lockstep, StopsBetweenLaunches) {
  Runs runs(1);
  Lockstep lockstep(kernels, 1, {});
  order.clear();
  for (int64_t run = 0; run < 2; ++run)
    runs.ask(lockstep, run, 1, false);
  runs.pool->begin(true);
  runs.pool->cancel(true);
  lockstep.play(*runs.pool);
  EXPECT_TRUE(order.empty());
  EXPECT_TRUE(runs.pool->hasSkipped());
}

static void cancel(const int64_t *, void *const *buffers, int64_t, int64_t, char *) {
  static_cast<Pool *>(buffers[0])->cancel(true);
}

TEST(Lockstep, StopsBehindTheLaunchThatIsComputing) {
  Runs runs(1);
  const WeftNamedKernel known[] = {{cancel, "cancel", 1}, {note<0>, "none", 1}, {}};
  Lockstep lockstep(known, 1, {});
  order.clear();
  int64_t from = 7, to = 0;
  void *pool[] = {runs.pool.get()}, *places[] = {runs.counts[0]};
  lockstep.begin(runs.calls[0]);
  lockstep.launch(cancel, pool, 1);
  lockstep.copy(&to, &from, sizeof to); // which no pool leaves out
  lockstep.launch(note<0>, places, 1);
  ASSERT_TRUE(lockstep.fits());
  runs.pool->begin(true);
  lockstep.play(*runs.pool);
  EXPECT_TRUE(runs.pool->hasSkipped());
  EXPECT_EQ(to, 0);
  EXPECT_TRUE(order.empty());
}
