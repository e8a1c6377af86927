// Tasks in chunks, and how long threads are busy with them.
#include "runtime/machine/Chunks.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace weft::runtime;

namespace {
double sum(const std::vector<double> &costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}
} // namespace

TEST(Chunks, HoldEachTaskOnceAndBecomeSmaller) {
  for (int threads : {1, 2, 7, 32, 128})
    for (int64_t tasks : {0, 1, 2, 7, 33, 88, 1023, 1024, 1025, 100000}) {
      SCOPED_TRACE(testing::Message() << tasks << " tasks of " << threads << " threads");
      Chunks chunks(tasks, threads);
      EXPECT_EQ(chunks.count() == 0, tasks == 0);
      EXPECT_EQ(chunks.first(0), 0);
      EXPECT_EQ(chunks.first(chunks.count()), tasks);
      int64_t largest = tasks;
      for (int64_t i = 0; i < chunks.count(); ++i) {
        int64_t own = chunks.first(i + 1) - chunks.first(i);
        EXPECT_GE(own, 1);
        EXPECT_LE(own, largest + 1); // even ones differ by one task
        largest = std::min(largest, own);
        if (threads > 1) {
          EXPECT_LE(own, std::max<int64_t>(1, tasks / (3 * threads)));
        }
        if (threads > 1 && i >= chunks.count() - threads) {
          EXPECT_EQ(own, 1);
        }
      }
    }
  EXPECT_EQ(Chunks(1000, 1).count(), 1);
}

TEST(Chunks, AreFewWhereTasksAreMany) {
  EXPECT_EQ(Chunks(1 << 20, 4).count(), 9 + 4 * 16); // 87381 tasks at most, then half as many, …
  EXPECT_EQ(Chunks(100, 128).count(), 100);
}

TEST(Chunks, OfSingleTasks) {
  Chunks chunks = Chunks::ofSingleTasks(5);
  EXPECT_EQ(chunks.count(), 5);
  for (int64_t i = 0; i <= 5; ++i)
    EXPECT_EQ(chunks.first(i), i);
}

TEST(Chunks, CutAShorterListAtTheSamePlaces) {
  Chunks chunks(88, 2);
  EXPECT_EQ(chunks.firstOf(88, 3), chunks.first(3));
  int64_t before = 0;
  for (int64_t i = 0; i <= chunks.count(); ++i) {
    int64_t first = chunks.firstOf(44, i);
    EXPECT_EQ(first, chunks.first(i) / 2);
    EXPECT_GE(first, before);
    before = first;
  }
  EXPECT_EQ(before, 44);
}

TEST(SecondsOnThreads, EqualTasks) {
  std::vector<double> equal(16, 2.0);
  EXPECT_EQ(secondsOnThreads(equal, 1), 32);
  EXPECT_EQ(secondsOnThreads(equal, 2), 16);
  EXPECT_EQ(secondsOnThreads(equal, 3), 12); // six tasks of sixteen
  EXPECT_EQ(secondsOnThreads(equal, 16), 2);
  EXPECT_EQ(secondsOnThreads(equal, 128), 2);
  EXPECT_EQ(secondsOnThreads({}, 4), 0);
}

TEST(SecondsOnThreads, ALongTaskIsWaitedFor) {
  EXPECT_EQ(secondsOnThreads({1, 1, 1, 9}, 2),
            10); // the last one is begun when the others are done
  EXPECT_EQ(secondsOnThreads({9, 1, 1, 1}, 2), 9);
  // of 32 tasks two threads take four at a time at first: three lie behind the long one
  std::vector<double> costs(32, 1.0);
  costs[0] = 100;
  EXPECT_EQ(secondsOnThreads(costs, 2), 103);
  EXPECT_EQ(secondsOnThreads(costs, 32), 100);
}

TEST(SecondsOnThreads, ThreadsEndTogetherThoughOneIsSlow) {
  for (size_t tasks : {88, 132, 176, 1000}) {
    std::vector<double> costs(tasks);
    for (size_t i = 0; i < tasks; ++i)
      costs[i] = i % 11 < 4 ? 11 : 12; // rows of tiles that do not come out even
    EXPECT_LE(secondsOnThreads(costs, 2), sum(costs) / 2 + 12) << tasks;
    costs.front() += 12 * 12; // a thread that was away for a while
    EXPECT_LE(secondsOnThreads(costs, 2), sum(costs) / 2 + 12) << tasks;
  }
}

TEST(SecondsOnThreads, StayBetweenTheBounds) {
  std::vector<double> costs;
  for (int i = 0; i < 1000; ++i)
    costs.push_back(1 + i * 7919 % 13);
  for (int threads : {1, 2, 7, 32, 128}) {
    double seconds = secondsOnThreads(costs, threads);
    EXPECT_GE(seconds, sum(costs) / threads);
    EXPECT_GE(seconds, 13);
    EXPECT_LE(seconds, sum(costs));
  }
}
