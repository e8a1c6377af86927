// Pages of several nodes in turn, as the kernel says of them: of node 0 alone, which every machine
// has.
#include "runtime/base/Nodes.h"
#include "runtime/base/Block.h"
#include "runtime/device/Mirror.h"

#include <cstring>
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace weft::runtime;

namespace {
constexpr int64_t bytes = int64_t(4) << 20;
constexpr long refused = -1;

/// The policy of the page at `place`; of new pages, of this thread, for nullptr.
long policyAt(void *place) {
  int policy = -1;
  long failed = syscall(SYS_get_mempolicy, &policy, nullptr, 0, place, place ? MPOL_F_ADDR : 0);
  return failed ? refused : policy;
}

class NodesTest : public testing::Test {
protected:
  void SetUp() override {
    if (policyAt(nullptr) == refused)
      GTEST_SKIP() << "get_mempolicy: " << strerror(errno)
                   << "; the kernel has no NUMA, or a container may not ask (seccomp)";
    if (policyAt(nullptr) != MPOL_DEFAULT)
      GTEST_SKIP() << "this process has been given a policy: it is left alone";
  }
  const std::vector<int> nodes{0};
};

void expectAll(char *start, int64_t size, long policy) {
  for (int64_t at : {int64_t(0), size / 2, size - 1})
    EXPECT_EQ(policyAt(start + at), policy) << at;
}
} // namespace

TEST_F(NodesTest, PagesComeFromEachInTurn) {
  Block block = std::move(*Block::create(bytes, "a test"));
  expectAll(block.data(), bytes, MPOL_DEFAULT);
  EXPECT_FALSE(spreadOver({}, block.data(), bytes));
  expectAll(block.data(), bytes, MPOL_DEFAULT);
  ASSERT_TRUE(spreadOver(nodes, block.data(), bytes));
  expectAll(block.data(), bytes, MPOL_INTERLEAVE);
  unsigned long mask[16] = {};
  int policy = -1;
  ASSERT_EQ(syscall(SYS_get_mempolicy, &policy, mask, 1024, block.data(), MPOL_F_ADDR), 0);
  EXPECT_EQ(mask[0], 1u);
  block.data()[0] = block.data()[bytes - 1] = 1; // there are such pages
}

TEST_F(NodesTest, WhatIsNoNodeIsRefused) {
  Block block = std::move(*Block::create(bytes, "a test"));
  for (int none : {-1, 1024, 1 << 20})
    EXPECT_FALSE(spreadOver(std::vector<int>{0, none}, block.data(), bytes)) << none;
  EXPECT_FALSE(spreadOver(std::vector<int>{1023}, block.data(), bytes)); // which no machine has
  expectAll(block.data(), bytes, MPOL_DEFAULT);
}

/// Whoever makes memory says of which nodes.
TEST_F(NodesTest, BlocksAndWhatStandsOnThem) {
  for (bool spread : {false, true}) {
    std::span<const int> of = spread ? std::span<const int>(nodes) : std::span<const int>();
    long policy = spread ? MPOL_INTERLEAVE : MPOL_DEFAULT;
    auto block = Block::create(bytes, "a test", "", of);
    auto memory = CodeMemory::create({nullptr, of}, bytes, "a test");
    auto mirror = Mirror::create({nullptr, of}, bytes, "a test");
    ASSERT_TRUE(block && memory && mirror);
    expectAll(block->data(), bytes, policy);
    expectAll(memory->data(), bytes, policy);
    expectAll(mirror->read(), bytes, policy);
    auto small = Block::create(bytes / 4, "a test", "", of); // of less than a huge page
    ASSERT_TRUE(small);
    expectAll(small->data(), bytes / 4, MPOL_DEFAULT);
  }
}

/// As numactl gives a policy to a process: in a child, for a thread cannot be given none again by
/// whoever does not know that it had none.
TEST_F(NodesTest, AProcessOfItsOwnPolicyIsLeftAlone) {
  enum Outcome { Alone, Refused, SaidSo, Spread };
  pid_t child = fork();
  if (child == 0) {
    unsigned long mask = 1;
    if (syscall(SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof mask + 1) != 0)
      _exit(Refused);
    auto block = Block::create(bytes, "a test", "", nodes);
    if (!block || spreadOver(nodes, block->data(), bytes))
      _exit(SaidSo);
    bool none = policyAt(block->data()) == MPOL_DEFAULT; // of their own
    _exit(none && policyAt(nullptr) == MPOL_BIND ? Alone : Spread);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == Refused)
    GTEST_SKIP() << "set_mempolicy is refused here";
  EXPECT_EQ(WEXITSTATUS(status), Alone);
}
