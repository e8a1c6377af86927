// Known costs of tasks give a known balance.
#include "runtime/program/profile/Scaling.h"

#include <gtest/gtest.h>

using namespace weft::runtime;

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
