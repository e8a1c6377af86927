// Known costs of tasks give a known balance.
#include "runtime/program/profile/Scaling.h"
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

TEST(Scaling, KeepsTheLeastOfEachTask) {
  std::vector<LaunchCosts> kept;
  keepLeast(kept, {{"a", {3}}, {"a", {1, 5}}});
  keepLeast(kept, {{"a", {2}}, {"a", {4, 2}}});
  EXPECT_EQ(kept[0].tasks, std::vector<double>({2}));
  EXPECT_EQ(kept[1].tasks, std::vector<double>({1, 2}));
  keepLeast(kept, {{"b", {9}}, {"a", {1, 5}}});
  EXPECT_EQ(kept[0].tasks, std::vector<double>({9})); // another launch
  keepLeast(kept, {{"a", {7, 7}}});                   // another run: other launches
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].tasks, std::vector<double>({7, 7}));
}

TEST(Scaling, IsByKernel) {
  std::vector<double> four(4, 1.0);
  Scaling scaling = scalingOf({{"a", four}, {"b", {2}}, {"a", four}}, {2, 4}, 0.5);
  ASSERT_EQ(scaling.kernels.size(), 2u);
  EXPECT_EQ(scaling.kernels[0].name, "a"); // of both as long on four, the first by name
  EXPECT_EQ(scaling.kernels[0].launches, 2);
  EXPECT_EQ(scaling.kernels[0].tasks, 8);
  EXPECT_EQ(scaling.kernels[0].onCores, std::vector<double>({4, 2}));
  EXPECT_EQ(scaling.kernels[1].onCores, std::vector<double>({2, 2}));
  EXPECT_EQ(scaling.seconds(), 10.5);
  EXPECT_EQ(scaling.secondsOn(1), 4.5);
}

TEST(Scaling, SumsLaunches) {
  Scaling scaling{{2, 4}, 1, {}};
  scaling.kernels.push_back({"a", 1, 4, 8, {4, 2}});
  scaling.kernels.push_back({"b", 2, 2, 6, {6, 6}}); // of one task each
  EXPECT_EQ(scaling.seconds(), 15);
  EXPECT_EQ(scaling.secondsOn(0), 11);
  EXPECT_EQ(scaling.secondsOn(1), 9);
  std::string text = scalingText(scaling);
  EXPECT_NE(text.find("100 %"), std::string::npos) << text; // `a`, on 2
  EXPECT_NE(text.find("25 %"), std::string::npos) << text;  // `b`, on 4
  EXPECT_NE(text.find("4 cores: 1.7 times one"), std::string::npos) << text;
}

TEST(Scaling, ReadsCores) {
  Result<std::vector<int64_t>> cores = readCores("32,128");
  ASSERT_TRUE(cores);
  EXPECT_EQ(*cores, std::vector<int64_t>({32, 128}));
  for (const char *wrong : {"", "0", "32,", "32,32", "many", "3x", "1025", "-1", ",4"})
    EXPECT_FALSE(readCores(wrong)) << wrong;
}
