// Files that are read: what others do to them meanwhile is an error, never a signal.
#include "runtime/base/files/InputFile.h"
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "runtime/weft.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace weft::runtime;

static void touch(const std::string &path) {
  timespec times[2] = {{0, UTIME_OMIT}, {1, 0}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
}

TEST(InputFile, WhatIsCutShortIsAnError) {
  TemporaryFolder folder;
  writeAll(folder / "x", std::string(100000, 'x'));
  auto file = InputFile::open(folder / "x");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 100000u);
  std::vector<std::byte> bytes(100000);
  ASSERT_TRUE(file->read(0, bytes));
  EXPECT_EQ(bytes.back(), std::byte{'x'});
  ASSERT_EQ(truncate((folder / "x").c_str(), 5000), 0);
  Status cut = file->read(0, bytes);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message, folder / "x" +
                                     ": was cut short while it was read: it had 100000 bytes, now "
                                     "it ends before byte 5001");
  EXPECT_FALSE(file->read(0, std::span(bytes).first(10))); // the rest of it may be another's too
}

TEST(InputFile, WhatIsChangedIsAnError) {
  TemporaryFolder folder;
  writeAll(folder / "x", "before");
  touch(folder / "x");
  auto file = InputFile::open(folder / "x");
  std::vector<std::byte> bytes(6);
  ASSERT_TRUE(file->read(0, bytes));
  writeAll(folder / "x", "behind");
  Status changed = file->read(0, bytes);
  ASSERT_FALSE(changed);
  EXPECT_NE(changed.error().message.find("x: was changed while it was read; write such a file "
                                         "under another name and rename it"),
            std::string::npos)
      << changed.error().message;
  // what takes the name is another file
  writeAll(folder / "y", "before");
  auto kept = InputFile::open(folder / "y");
  writeAll(folder / "z", "behind");
  std::filesystem::rename(folder / "z", folder / "y");
  EXPECT_TRUE(kept->read(0, bytes));
}

TEST(InputFile, WhatIsNoFile) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const char *name : {"pipe", "absent", "."})
    EXPECT_FALSE(WholeFile::read(folder / name)) << name; // and does not wait
  writeAll(folder / "empty", "");
  auto empty = WholeFile::read(folder / "empty");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->view().empty());
  writeAll(folder / "x", std::string("a\0b", 3));
  EXPECT_EQ(WholeFile::read(folder / "x")->view(), std::string_view("a\0b", 3));
}

TEST(InputFile, TensorsOfAFileThatIsCutShort) {
  TemporaryFolder folder;
  std::vector<float> values(50000, 1);
  ASSERT_TRUE(writeSafetensors(folder / "x", {{"a", Element::Float, {50000}, values.data()}}));
  auto file = SafetensorsFile::open(folder / "x");
  ASSERT_TRUE(file);
  ASSERT_EQ(*file->read(*file->find("a"), Element::Float, values.data()), -1);
  ASSERT_EQ(truncate((folder / "x").c_str(), 4096), 0);
  auto read = file->read(*file->find("a"), Element::Float, values.data());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::File);
}

/// What a host loads while another process cuts it and writes it anew, at any moment: a signal
/// would end the host.
TEST(InputFile, AHostOutlivesFilesThatOthersCut) {
  TemporaryFolder folder;
  WeftModel *model = weft_open(nullptr);
  ASSERT_NE(model, nullptr) << weft_error();
  ASSERT_EQ(weft_initialize(model, 3), WEFT_OK);
  const std::string path = folder / "weights";
  ASSERT_EQ(weft_save(model, path.c_str()), WEFT_OK) << weft_error();
  const std::string whole = readAll(path);
  unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (std::minstd_rand random(seed); !done;) {
      static_cast<void>(!truncate(path.c_str(), static_cast<off_t>(random() % whole.size())));
      usleep(random() % 300);
      writeAll(path, whole);
      usleep(random() % 300);
    }
  });
  int loaded = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    WeftStatus status = weft_load(model, path.c_str());
    ASSERT_TRUE(status == WEFT_OK || status == WEFT_ERROR_FILE) << weft_error();
    (status == WEFT_OK ? loaded : refused)++;
  }
  done = true;
  other.join();
  std::printf("%d times loaded, %d times refused\n", loaded, refused);
  writeAll(path, whole);
  EXPECT_EQ(weft_load(model, path.c_str()), WEFT_OK) << weft_error();
  weft_close(model);
}
