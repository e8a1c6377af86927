// Files that are written: under names that nobody can foresee, as open as what they replace, where
// links lead, on the disk when they have their name, and without what kills left.
#include "runtime/base/files/NewFile.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace weft::runtime;

/// What was synced and renamed, in order: this program's own calls come here first.
static std::vector<std::string> calls;

static std::string nameOfOpen(int file) {
  char path[4096];
  ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), path, sizeof path);
  std::string all(path, length > 0 ? static_cast<size_t>(length) : 0);
  return all.ends_with(NewFile::suffix) ? "file" : std::filesystem::path(all).filename().string();
}

extern "C" int fsync(int file) {
  calls.push_back("sync " + nameOfOpen(file));
  return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int renameat(int from, const char *old, int to, const char *now) noexcept {
  calls.push_back(std::string("rename to ") + now);
  return static_cast<int>(syscall(SYS_renameat, from, old, to, now));
}

namespace {
class NewFileTest : public testing::Test {
protected:
  std::vector<std::string> names(const std::string &path) {
    std::vector<std::string> all;
    for (const auto &entry : std::filesystem::directory_iterator(path))
      all.push_back(entry.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
  unsigned modeOf(const std::string &name) {
    struct stat facts{};
    stat((folder / name).c_str(), &facts);
    return facts.st_mode & 07777;
  }
  /// A child that is killed while it writes `name`; its process id.
  pid_t killedWhileWriting(const std::string &name) {
    pid_t child = fork();
    if (child == 0) {
      auto file = NewFile::create(folder / name);
      if (file && file->write("cut"))
        kill(getpid(), SIGKILL);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    return child;
  }
  TemporaryFolder folder;
};
using Names = std::vector<std::string>;
} // namespace

/// A link under the name that a process id makes leads nowhere: it could be planted.
TEST_F(NewFileTest, RoomIsTheFile) {
  constexpr size_t bytes = 3 << 20;
  std::string path = folder / "x", expected(bytes, '\0');
  ASSERT_TRUE(writeFile(path, "before"));
  for (bool whole : {false, true}) {
    auto file = NewFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("head"));
    Result<char *> room = file->room(bytes);
    ASSERT_TRUE(room) << room.error().message;
    EXPECT_EQ(std::string_view(*room, bytes), std::string(bytes, '\0'));
    for (size_t i = 0; i < bytes; i += 4096)
      expected[i] = (*room)[i] = static_cast<char>(i >> 12);
    NewFile moved = std::move(*file); // with its memory
    (*room)[bytes - 1] = expected[bytes - 1] = 'z';
    std::ifstream old(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(old), {}), "before");
    if (whole)
      EXPECT_TRUE(moved.commit());
  }
  std::ifstream now(path);
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(now), {}) == "head" + expected);
  EXPECT_EQ(names(folder.path()), std::vector<std::string>{"x"});
}

TEST_F(NewFileTest, RoomThatThereIsNot) {
  auto device = NewFile::create("/dev/null");
  ASSERT_TRUE(device);
  Result<char *> none = device->room(10);
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, nullptr);
  auto file = NewFile::create(folder / "x");
  ASSERT_TRUE(file);
  Result<char *> room = file->room(size_t(1) << 60);
  ASSERT_FALSE(room);
  EXPECT_NE(room.error().message.find("cannot write it"), std::string::npos);
}

TEST_F(NewFileTest, NamesCannotBeForeseen) {
  writeAll(folder / "victim", "mine");
  std::filesystem::create_symlink(folder / "victim",
                                  folder / ("x." + std::to_string(getpid()) + ".partial"));
  ASSERT_TRUE(writeFile(folder / "x", "new"));
  EXPECT_EQ(readAll(folder / "victim"), "mine");
  EXPECT_EQ(readAll(folder / "x"), "new");
  Names seen;
  for (int i = 0; i < 20; ++i) {
    auto file = NewFile::create(folder / "y");
    ASSERT_TRUE(file);
    for (const std::string &name : names(folder.path()))
      if (name.starts_with("y."))
        seen.push_back(name);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen.size(), 20u);
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

/// As two containers do on one volume, where both have the same process id.
TEST_F(NewFileTest, TwoWritersOfOneProcessIdDoNotMix) {
  auto first = NewFile::create(folder / "x"), second = NewFile::create(folder / "x");
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first->write("first"));
  ASSERT_TRUE(second->write("second, which is longer"));
  ASSERT_TRUE(first->write(" and last"));
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(readAll(folder / "x"), "first and last");
  ASSERT_TRUE(second->commit());
  EXPECT_EQ(readAll(folder / "x"), "second, which is longer");
  EXPECT_EQ(names(folder.path()), Names{"x"});
}

TEST_F(NewFileTest, StaysAsOpenAsItWas) {
  mode_t before = umask(022);
  for (unsigned mode : {0600u, 0640u, 0644u, 0666u, 0400u}) {
    writeAll(folder / "x", "old");
    chmod((folder / "x").c_str(), mode);
    auto file = NewFile::create(folder / "x");
    ASSERT_TRUE(file);
    for (const std::string &name : names(folder.path())) // never wider while it is written
      EXPECT_EQ(modeOf(name) & ~mode & 077, 0u) << name;
    ASSERT_TRUE(file->write("new"));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(modeOf("x"), mode);
    unlink((folder / "x").c_str());
  }
  for (auto [mask, expected] : {std::pair(022u, 0644u), {077u, 0600u}}) {
    umask(mask);
    ASSERT_TRUE(writeFile(folder / "y", "new"));
    EXPECT_EQ(modeOf("y"), expected);
    ASSERT_TRUE(writeFile(folder / "program", "new", 0777));
    EXPECT_EQ(modeOf("program"), expected | (expected & 0444) >> 2);
    for (const char *name : {"y", "program"})
      unlink((folder / name).c_str());
  }
  umask(before);
  writeAll(folder / "program", "a secret text"); // in whose place a program comes
  chmod((folder / "program").c_str(), 0600);
  ASSERT_TRUE(writeFile(folder / "program", "new", 0777));
  EXPECT_EQ(modeOf("program"), 0700u);
}

TEST_F(NewFileTest, KeepsTheOwner) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only the superuser can give files to others";
  writeAll(folder / "x", "old");
  ASSERT_EQ(chown((folder / "x").c_str(), 1234, 2345), 0);
  chmod((folder / "x").c_str(), 0640);
  ASSERT_TRUE(writeFile(folder / "x", "new"));
  struct stat facts{};
  stat((folder / "x").c_str(), &facts);
  EXPECT_EQ(facts.st_uid, 1234u);
  EXPECT_EQ(facts.st_gid, 2345u);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
}

TEST_F(NewFileTest, LinksAreFollowed) {
  for (const char *name : {"links", "files", "files/deep"})
    std::filesystem::create_directory(folder / name);
  writeAll(folder / "files/deep/x", "old");
  std::filesystem::create_symlink("../files/y", folder / "links/x");
  std::filesystem::create_symlink("deep/x", folder / "files/y");
  auto file = NewFile::create(folder / "links/x");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(names(folder / "links"), Names{"x"});
  EXPECT_EQ(names(folder / "files/deep").size(), 2u); // beside the file, on its disk
  ASSERT_TRUE(file->write("new"));
  ASSERT_TRUE(file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "links/x"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "files/y"));
  EXPECT_EQ(readAll(folder / "files/deep/x"), "new");

  std::filesystem::create_symlink(folder / "files/made", folder / "links/dangling");
  ASSERT_TRUE(writeFile(folder / "links/dangling", "made"));
  EXPECT_EQ(readAll(folder / "files/made"), "made");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "links/dangling"));

  std::filesystem::create_symlink(folder / "absent/made", folder / "links/nowhere");
  Status nowhere = writeFile(folder / "links/nowhere", "made");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message,
            folder / "links/nowhere" + ": cannot create it: No such file or directory");
  std::filesystem::create_symlink("circle", folder / "links/circle");
  EXPECT_FALSE(writeFile(folder / "links/circle", "made"));
  EXPECT_FALSE(writeFile(folder / "links", "made")); // a folder
}

TEST_F(NewFileTest, DevicesAndPipesAreWrittenTo) {
  ASSERT_TRUE(writeFile("/dev/null", "gone"));
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  std::filesystem::create_symlink("pipe", folder / "link");
  ASSERT_TRUE(writeFile(folder / "link", "words"));
  char got[6] = {};
  EXPECT_EQ(read(reader, got, 5), 5);
  EXPECT_STREQ(got, "words");
  close(reader);
  EXPECT_EQ(names(folder.path()), (Names{"link", "pipe"}));
  // an output that has lost its name: /dev/stdout of a shell, and the file removed
  int file = open((folder / "removed").c_str(), O_RDWR | O_CREAT, 0600);
  unlink((folder / "removed").c_str());
  ASSERT_TRUE(writeFile("/proc/self/fd/" + std::to_string(file), "words"));
  EXPECT_EQ(pread(file, got, 5, 0), 5);
  close(file);
  EXPECT_EQ(names(folder.path()), (Names{"link", "pipe"}));
}

TEST_F(NewFileTest, IsOnTheDiskBeforeAndWithItsName) {
  calls.clear();
  ASSERT_TRUE(writeFile(folder / "x", "new"));
  std::string own = std::filesystem::path(folder.path()).filename();
  EXPECT_EQ(calls, (Names{"sync file", "rename to x", "sync " + own}));
}

TEST_F(NewFileTest, WhatKillsLeaveGoesAndNothingElse) {
  pid_t dead = killedWhileWriting("x");
  killedWhileWriting("other");
  ASSERT_EQ(names(folder.path()).size(), 2u);
  std::string otherLeft = names(folder.path())[0];
  // to be kept: names of another form, files of somebody else, links, folders
  Names others = {"x." + std::to_string(dead) + ".partial", "x.0123456789ABCDEF.partial",
                  "x.0123456789abcdef.partial2", "x.0123456789abcdef",
                  "xx.0123456789abcdef.partial"};
  for (const std::string &name : others)
    writeAll(folder / name, "mine");
  std::filesystem::create_symlink("elsewhere", folder / "x.00000000000000aa.partial");
  std::filesystem::create_directory(folder / "x.00000000000000ab.partial");
  others.insert(others.end(), {"x.00000000000000aa.partial", "x.00000000000000ab.partial"});
  if (geteuid() == 0) {
    writeAll(folder / "x.00000000000000ac.partial", "somebody's");
    ASSERT_EQ(chown((folder / "x.00000000000000ac.partial").c_str(), 1234, 1234), 0);
    others.push_back("x.00000000000000ac.partial");
  }
  auto living = NewFile::create(folder / "x");
  ASSERT_TRUE(living);
  ASSERT_TRUE(living->write("living"));
  pid_t child = fork(); // another process, which finds the living one's file and the dead one's
  if (child == 0)
    _exit(writeFile(folder / "x", "child") ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(readAll(folder / "x"), "child");
  ASSERT_TRUE(living->commit());
  EXPECT_EQ(readAll(folder / "x"), "living");
  others.insert(others.end(), {"x", otherLeft});
  std::sort(others.begin(), others.end());
  EXPECT_EQ(names(folder.path()), others);
}

/// A name of as many bytes as a name may have is written as any other.
TEST_F(NewFileTest, LongNames) {
  std::string name(255, 'n');
  ASSERT_TRUE(writeFile(folder / name, "new"));
  EXPECT_EQ(readAll(folder / name), "new");
  killedWhileWriting(name);
  EXPECT_EQ(names(folder.path()).size(), 2u);
  ASSERT_TRUE(writeFile(folder / name, "newer"));
  EXPECT_EQ(names(folder.path()), Names{name});
}
