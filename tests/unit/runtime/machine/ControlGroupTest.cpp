// Quotas of control groups: of the process's own group, of all above it, of both versions, in
// containers; on folders that look like a system's.
#include "runtime/machine/ControlGroup.h"
#include "runtime/machine/memory/Memory.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {
class ControlGroupTest : public testing::Test {
protected:
  void file(const std::string &path, const std::string &contents) {
    std::filesystem::create_directories(std::filesystem::path(folder / path).parent_path());
    writeAll(folder / path, contents);
  }
  /// As the kernel tells where control groups are mounted.
  void mounts(const std::string &lines) {
    file("proc/self/mountinfo", "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n" + lines);
  }
  int cores() { return coresOfControlGroups(folder.path()); }
  int64_t memory() { return memoryOfControlGroups(folder.path()); }
  const std::string second =
      "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
  const std::string service = "sys/fs/cgroup/system.slice/training.service/";
  TemporaryFolder folder;
};
} // namespace

TEST_F(ControlGroupTest, NothingIsGranted) {
  EXPECT_EQ(cores(), 0);
  mounts(second);
  file("proc/self/cgroup", "0::/system.slice/training.service\n");
  EXPECT_EQ(cores(), 0);
  file(service + "cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), 0);
  for (const char *broken : {"", "\n", "1", "x y", "-5 100000", "0 0", "100000 0"}) {
    file(service + "cpu.max", broken);
    EXPECT_EQ(cores(), 0) << broken;
  }
}

/// What systemd grants (CPUQuota=) stands at a service, or at a slice above it.
TEST_F(ControlGroupTest, TheSmallestOfTheGroupAndAllAboveIt) {
  mounts(second);
  file("proc/self/cgroup", "0::/system.slice/training.service\n");
  file(service + "cpu.max", "350000 100000\n");
  EXPECT_EQ(cores(), 4);
  file("sys/fs/cgroup/system.slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(cores(), 2);
  file("sys/fs/cgroup/system.slice/cpu.max", "900000 100000\n");
  EXPECT_EQ(cores(), 4);
  file("sys/fs/cgroup/cpu.max", "10000 100000\n"); // of a container: its root is a group, too
  EXPECT_EQ(cores(), 1);
  file("sys/fs/cgroup/other.slice/cpu.max", "1000 100000\n"); // somebody else's
  EXPECT_EQ(cores(), 1);
  file("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), 4);
}

TEST_F(ControlGroupTest, TheFirstVersion) {
  mounts("32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
         "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  file("proc/self/cgroup",
       "9:memory:/m\n4:cpu,cpuacct:/system.slice/training.service\n1:name=systemd:/s\n");
  const std::string at = "sys/fs/cgroup/cpu,cpuacct/system.slice/";
  file(at + "training.service/cpu.cfs_quota_us", "-1\n");
  file(at + "training.service/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 0);
  file(at + "cpu.cfs_quota_us", "250000\n");
  file(at + "cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(cores(), 5);
  file(at + "training.service/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(cores(), 3);
}

/// Both at once, where systemd has the second without controllers.
TEST_F(ControlGroupTest, BothVersions) {
  mounts("32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
         "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  file("proc/self/cgroup", "1:cpu:/a/b\n0::/c\n");
  file("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "700000\n");
  file("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 7);
  file("sys/fs/cgroup/unified/c/cpu.max", "200000 100000\n");
  EXPECT_EQ(cores(), 2);
}

/// Where only what is below the container's own group is mounted, though the kernel tells the whole
/// path; and where the container does not see that it is one.
TEST_F(ControlGroupTest, Containers) {
  mounts("32 31 0:29 /docker/ab\\040cd /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  file("proc/self/cgroup", "1:cpu:/docker/ab cd/inner\n");
  file("sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "600000\n");
  file("sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 6);
  file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000\n");
  file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cores(), 3);
  file("proc/self/cgroup", "1:cpu:/docker/ab cd\n");
  EXPECT_EQ(cores(), 3);
  file("proc/self/cgroup", "1:cpu:/\n");
  EXPECT_EQ(cores(), 3);
  file("proc/self/cgroup", "1:cpu:/../elsewhere\n");
  EXPECT_EQ(cores(), 3);
}

/// A system that does not tell its mounts has them where they usually are.
TEST_F(ControlGroupTest, WithoutMounts) {
  file("proc/self/cgroup", "0::/a\n");
  file("sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(cores(), 2);
}

/// Memory is granted as time is: by the group and all above it.
TEST_F(ControlGroupTest, Memory) {
  EXPECT_EQ(memory(), 0);
  mounts(second);
  file("proc/self/cgroup", "0::/system.slice/training.service\n");
  file(service + "memory.max", "max\n");
  EXPECT_EQ(memory(), 0);
  file(service + "memory.max", "2147483648\n");
  EXPECT_EQ(memory(), int64_t(1) << 31);
  file("sys/fs/cgroup/system.slice/memory.max", "1073741824\n");
  EXPECT_EQ(memory(), int64_t(1) << 30);
  for (const char *broken : {"", "\n", "x", "-5"}) {
    file("sys/fs/cgroup/system.slice/memory.max", broken);
    EXPECT_EQ(memory(), int64_t(1) << 31) << broken;
  }
}

TEST_F(ControlGroupTest, MemoryOfTheFirstVersion) {
  mounts("32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
         "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  file("proc/self/cgroup", "9:memory:/m/n\n4:cpu:/elsewhere\n");
  file("sys/fs/cgroup/memory/m/n/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory(), 0);
  file("sys/fs/cgroup/memory/m/memory.limit_in_bytes", "500000000\n");
  EXPECT_EQ(memory(), 500000000);
}

/// The least of what the machine has, its groups grant, and the variable says.
TEST_F(ControlGroupTest, WhatAProcessCanHave) {
  unsetenv("WEFT_MEMORY");
  file("proc/meminfo", "MemTotal:  2000000 kB\nMemFree:  5 kB\nSwapTotal:  500000 kB\n");
  EXPECT_EQ(memoryGrant(folder.path()).bytes, 2500000 * int64_t(1024));
  EXPECT_STREQ(memoryGrant(folder.path()).by, "this machine");
  mounts(second);
  file("proc/self/cgroup", "0::/a\n");
  file("sys/fs/cgroup/a/memory.max", "1000000000\n");
  EXPECT_EQ(memoryGrant(folder.path()).bytes, 1000000000);
  EXPECT_STREQ(memoryGrant(folder.path()).by, "its control group");
  setenv("WEFT_MEMORY", "300000000", 1);
  EXPECT_EQ(memoryGrant(folder.path()).bytes, 300000000);
  EXPECT_STREQ(memoryGrant(folder.path()).by, "WEFT_MEMORY");
  for (const char *broken : {"8G", "x", "-5", "0"}) {
    setenv("WEFT_MEMORY", broken, 1);
    EXPECT_EQ(memoryGrant(folder.path()).bytes, 0) << broken;
  }
  setenv("WEFT_MEMORY", "", 1);
  EXPECT_EQ(memoryGrant(folder.path()).bytes, 1000000000);
  unsetenv("WEFT_MEMORY");
}

/// What is touched is there.
TEST(Memory, IsCountedWhenItIsTouched) {
  int64_t before = residentBytes();
  ASSERT_GT(before, 0);
  std::vector<char> block(size_t(64) << 20, 1);
  EXPECT_GE(residentBytes() - before, int64_t(block.size()) * 9 / 10);
  EXPECT_GE(mostResidentBytes(), residentBytes() * 9 / 10);
}
