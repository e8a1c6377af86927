// Tasks in chunks, and how long threads are busy with them.
#include "runtime/machine/Chunks.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace weft::runtime;

namespace {
double sum(const std::vector<double> &costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}
} // namespace

TEST(Chunks, AreWholeAndEven) {
  for (int threads : {1, 2, 7, 32, 128})
    for (int64_t tasks : {0, 1, 2, 7, 33, 1023, 1024, 1025, 100000}) {
      int64_t chunks = chunksOf(tasks, threads);
      EXPECT_LE(chunks, tasks);
      EXPECT_EQ(chunks == 0, tasks == 0);
      EXPECT_EQ(firstTaskOf(chunks, tasks, std::max<int64_t>(chunks, 1)), tasks);
      for (int64_t i = 0; i < chunks; ++i) {
        int64_t own = firstTaskOf(i + 1, tasks, chunks) - firstTaskOf(i, tasks, chunks);
        EXPECT_GE(own, tasks / chunks);
        EXPECT_LE(own, (tasks + chunks - 1) / chunks);
      }
    }
  EXPECT_EQ(chunksOf(1000, 4), 32);
  EXPECT_EQ(chunksOf(1000, 1), 1);
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
  // 32 tasks for one thread are 8 chunks of 4 for each of two: the one that has the long task ends
  // last
  std::vector<double> costs(32, 1.0);
  costs[0] = 100;
  EXPECT_EQ(secondsOnThreads(costs, 2), 101);
  EXPECT_EQ(secondsOnThreads(costs, 32), 100);
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
