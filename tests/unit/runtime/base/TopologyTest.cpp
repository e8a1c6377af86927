// Cores and nodes, on folders that look like a system's.
#include "runtime/base/Topology.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace weft::runtime;

namespace {
using Lists = std::vector<std::vector<int>>;
using List = std::vector<int>;

List first(int count) {
  List numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

class TopologyTest : public testing::Test {
protected:
  void file(const std::string &path, const std::string &contents) {
    std::string whole = folder / ("sys/devices/system/" + path);
    std::filesystem::create_directories(std::filesystem::path(whole).parent_path());
    writeAll(whole, contents);
  }
  void siblings(int processor, const std::string &list, const char *name = "core_cpus_list") {
    file("cpu/cpu" + std::to_string(processor) + "/topology/" + name, list + "\n");
  }
  Lists cores(const List &processors) { return coresOf(processors, folder.path()); }
  List nodes(const List &processors) { return nodesOf(processors, folder.path()); }
  TemporaryFolder folder;
};
} // namespace

TEST(ReadList, AsLinuxWritesThem) {
  EXPECT_EQ(readList("0\n"), List({0}));
  EXPECT_EQ(readList("0-3,8"), List({0, 1, 2, 3, 8}));
  EXPECT_EQ(readList("1,33\n"), List({1, 33}));
  for (const char *none : {"", "\n", "-1", "x", "3-1", "1-", "1;2", "0-999999999", "1,,2"})
    EXPECT_EQ(readList(none), List()) << none;
}

TEST_F(TopologyTest, WhereNothingIsSaidEachIsACore) {
  EXPECT_EQ(cores({0, 1, 5}), Lists({{0}, {1}, {5}}));
  EXPECT_EQ(nodes({0, 1, 5}), List());
}

/// As Intel's are numbered: the second of each core follows behind all the first.
TEST_F(TopologyTest, SiblingsAreOneCore) {
  for (int i = 0; i < 8; ++i)
    siblings(i, std::to_string(i % 4) + "," + std::to_string(i % 4 + 4));
  EXPECT_EQ(cores(first(8)), Lists({{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(cores({1, 2, 5}), Lists({{1, 5}, {2}})); // some are not allowed
  EXPECT_EQ(cores({6}), Lists({{6}}));
}

/// As they are numbered one beside the other, on an older Linux.
TEST_F(TopologyTest, NeighboursAreOneCore) {
  for (int i = 0; i < 4; ++i)
    siblings(i, i < 2 ? "0-1" : "2-3", "thread_siblings_list");
  EXPECT_EQ(cores(first(4)), Lists({{0, 1}, {2, 3}}));
}

TEST_F(TopologyTest, WhatIsBrokenIsACore) {
  siblings(0, "1");
  siblings(1, "junk");
  siblings(2, "");
  EXPECT_EQ(cores(first(3)), Lists({{0}, {1}, {2}}));
}

TEST_F(TopologyTest, NodesOfTheProcessors) {
  file("node/online", "0-1,3\n");
  file("node/node0/cpulist", "0-3,8-11\n");
  file("node/node1/cpulist", "4-7,12-15\n");
  file("node/node3/cpulist", "\n"); // memory alone
  EXPECT_EQ(nodes(first(16)), List({0, 1}));
  EXPECT_EQ(nodes({4, 13}), List({1}));
  EXPECT_EQ(nodes({40}), List());
}

TEST(Topology, OfThisMachine) {
  List processors = allowedProcessors();
  ASSERT_FALSE(processors.empty());
  List all;
  for (const List &core : coresOf(processors))
    all.insert(all.end(), core.begin(), core.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, processors);
  std::vector<char> block(1 << 16);
  if (availableNodes().size() < 2) // where pages can only come from one
    EXPECT_FALSE(spreadOverNodes(block.data(), 1 << 16));
}
