// Cores and nodes, on folders that look like a system's, and on a system of many processors.
#include "runtime/machine/Cores.h"
#include "runtime/base/files/Lines.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <numeric>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::runtime;

namespace {
using Lists = std::vector<std::vector<int>>;
using List = std::vector<int>;

List first(int count) {
  List numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// A system of so many possible processors, of which a thread may use some; 0: the one that there
/// is.
struct System {
  size_t possible = 0;
  List allowed, asked; // what it may use, and what it was told to stay on
} pretended;

class CoresTest : public testing::Test {
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
  List nodes(int threads, const List &processors) {
    return nodesOfThreads(threads, processors, folder.path());
  }
  TemporaryFolder folder;
};
} // namespace

// In place of the C library's.

extern "C" int sched_getaffinity(pid_t thread, size_t bytes, cpu_set_t *set) noexcept {
  if (!pretended.possible) {
    long copied = syscall(SYS_sched_getaffinity, thread, bytes, set);
    return copied < 0 ? -1 : 0;
  }
  if (bytes * 8 < pretended.possible)
    return errno = EINVAL, -1;
  CPU_ZERO_S(bytes, set);
  for (int processor : pretended.allowed)
    CPU_SET_S(processor, bytes, set);
  return 0;
}

extern "C" int sched_setaffinity(pid_t thread, size_t bytes, const cpu_set_t *set) noexcept {
  if (!pretended.possible)
    return static_cast<int>(syscall(SYS_sched_setaffinity, thread, bytes, set));
  for (int i = 0; i < static_cast<int>(bytes * 8); ++i)
    if (CPU_ISSET_S(i, bytes, set))
      pretended.asked.push_back(i);
  return 0;
}

TEST(ReadList, AsLinuxWritesThem) {
  EXPECT_EQ(readList("0\n"), List({0}));
  EXPECT_EQ(readList("0-3,8"), List({0, 1, 2, 3, 8}));
  EXPECT_EQ(readList("1,33\n"), List({1, 33}));
  for (const char *none : {"", "\n", "-1", "x", "3-1", "1-", "1;2", "0-999999999", "1,,2"})
    EXPECT_EQ(readList(none), List()) << none;
}

TEST_F(CoresTest, WhereNothingIsSaidEachIsACore) {
  EXPECT_EQ(cores({0, 1, 5}), Lists({{0}, {1}, {5}}));
  EXPECT_EQ(nodes(9, {0, 1, 5}), List());
}

/// As Intel's are numbered: the second of each core follows behind all the first.
TEST_F(CoresTest, SiblingsAreOneCore) {
  for (int i = 0; i < 8; ++i)
    siblings(i, std::to_string(i % 4) + "," + std::to_string(i % 4 + 4));
  EXPECT_EQ(cores(first(8)), Lists({{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(cores({1, 2, 5}), Lists({{1, 5}, {2}})); // some are not allowed
  EXPECT_EQ(cores({6}), Lists({{6}}));
}

/// As they are numbered one beside the other, on an older Linux.
TEST_F(CoresTest, NeighboursAreOneCore) {
  for (int i = 0; i < 4; ++i)
    siblings(i, i < 2 ? "0-1" : "2-3", "thread_siblings_list");
  EXPECT_EQ(cores(first(4)), Lists({{0, 1}, {2, 3}}));
}

TEST_F(CoresTest, WhatIsBrokenIsACore) {
  siblings(0, "1");
  siblings(1, "junk");
  siblings(2, "");
  EXPECT_EQ(cores(first(3)), Lists({{0}, {1}, {2}}));
}

/// Two nodes of 8 processors, which are 4 cores, and one of memory alone.
TEST_F(CoresTest, NodesWhereOneIsTooSmallForTheThreads) {
  file("node/online", "0-1,3\n");
  file("node/node0/cpulist", "0-3,8-11\n");
  file("node/node1/cpulist", "4-7,12-15\n");
  file("node/node3/cpulist", "\n");
  for (int i = 0; i < 16; ++i)
    siblings(i, std::to_string(i % 8) + "," + std::to_string(i % 8 + 8));
  EXPECT_EQ(nodes(8, first(16)), List({0, 1}));
  EXPECT_EQ(nodes(5, first(16)), List({0, 1}));
  for (int threads : {1, 2, 4}) // memory is best where it was written
    EXPECT_EQ(nodes(threads, first(16)), List()) << threads;
  EXPECT_EQ(nodes(9, {4, 5, 13}), List()); // only one of them is allowed
  EXPECT_EQ(nodes(9, {40}), List());
  // as unequal as an affinity mask may make them
  EXPECT_EQ(nodes(4, {0, 1, 2, 3, 7}), List());
  EXPECT_EQ(nodes(5, {0, 1, 2, 3, 7}), List({0, 1}));
}

/// A list longer than a page: every other of many processors.
TEST_F(CoresTest, ListsOfAnyLength) {
  std::string list;
  List all;
  for (int i = 1; i < 4096; i += 2) {
    list += (i > 1 ? "," : "") + std::to_string(i);
    all.push_back(i);
  }
  ASSERT_GT(list.size(), 8192u);
  siblings(1, list);
  EXPECT_EQ(cores(all), Lists({all}));
}

TEST(Lines, OfFilesOfTheKernel) {
  EXPECT_EQ(linesOf("/proc/no such file"), std::vector<std::string>());
  TemporaryFolder folder;
  writeAll(folder / "lines", std::string(5000, 'a') + "\n\nb");
  EXPECT_EQ(linesOf(folder / "lines"), std::vector<std::string>({std::string(5000, 'a'), "", "b"}));
}

TEST(Cores, OfThisMachine) {
  List processors = allowedProcessors();
  ASSERT_FALSE(processors.empty());
  List all;
  for (const List &core : coresOf(processors))
    all.insert(all.end(), core.begin(), core.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, processors);
  EXPECT_GE(availableCores(), 1);
  EXPECT_LE(availableCores(), static_cast<int>(processors.size()));
}

/// A set of the C library's has 1024; the system takes none that is smaller than its own.
TEST(Cores, OfMoreProcessorsThanASetHas) {
  for (size_t possible : {64, 1024, 1025, 2048, 8192}) {
    int last = static_cast<int>(possible) - 1;
    pretended = {possible, {0, 5, last}, {}};
    List processors = allowedProcessors();
    stayOn({5, last});
    List asked = pretended.asked;
    pretended = {};
    EXPECT_EQ(processors, List({0, 5, last})) << possible;
    EXPECT_EQ(asked, List({5, last})) << possible;
  }
  pretended = {size_t(1) << 30, {}, {}}; // where it is refused whatever the size
  List processors = allowedProcessors();
  pretended = {};
  EXPECT_EQ(processors, List({0}));
}
