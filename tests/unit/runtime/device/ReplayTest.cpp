// Graphs: played where all is the same, changed where values differ, made anew where launches do.
#include "runtime/device/Replay.h"
#include "runtime/device/CodeMemory.h"
#include "tests/unit/runtime/device/Devices.h"

#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace weft::runtime;

/// Each block adds a number, the second size, at its place from the first size on; and to scratch.
extern "C" [[gnu::visibility("default")]] void test_put(void *const *parameters) {
  if (weft_emulated_thread() != 0)
    return;
  auto *sizes = static_cast<const int64_t *>(parameters[0]);
  int32_t *memory = static_cast<int32_t *const *>(parameters[1])[0];
  int64_t place = sizes[0] + weft_emulated_block(0);
  for (int32_t *at : {memory + place, *static_cast<int32_t *const *>(parameters[2])})
    if (at) {
      weft_emulated_touch(at, 4, false, 1);
      weft_emulated_touch(at, 4, true, 1);
      *at += static_cast<int32_t>(sizes[1]);
    }
}

namespace {
constexpr uint32_t reads[] = {0, 1};
constexpr WeftDeviceKernel put{"test_put", test_put, 3, 1, 32, 64 << 10, 1, 0, nullptr, reads, 2},
    another{"test_put", test_put, 3, 1, 32, 64 << 10, 1, 0, nullptr, reads, 2};
constexpr int places = 8;
constexpr int32_t large = 1 << 20; // all bytes of it matter

class ReplayTest : public OnDevices {
protected:
  ReplayTest() {
    asked = testing::TempDir() + "replay-" + std::to_string(getpid());
    unlink(asked.c_str());
    setenv("FAKE_CUDA_LOG", asked.c_str(), 1);
    numbers = take(places * 4);
    device->fill(numbers.data(), 0, numbers.size());
  }
  ~ReplayTest() override {
    unsetenv("FAKE_CUDA_LOG");
    unlink(asked.c_str());
  }
  CodeMemory take(int64_t bytes) {
    auto created = CodeMemory::create(device.get(), bytes, "a test");
    EXPECT_TRUE(created);
    return std::move(*created);
  }
  char *at(int place) { return numbers.data() + 4 * place; }
  struct More {
    int64_t unread = 0, blocks = 1;
    void *memory = nullptr, *scratch = nullptr;
    const WeftDeviceKernel *kernel = &put;
  };
  void ask(int64_t place, int64_t number) { ask(place, number, More()); }
  void ask(int64_t place, int64_t number, const More &more) {
    const int64_t sizes[] = {place, number, more.unread};
    void *const buffers[] = {more.memory ? more.memory : numbers.data()};
    device->launch(*more.kernel, sizes, buffers, more.scratch, more.blocks);
  }
  /// Runs until a graph is kept, at sizes that no test has.
  void keep(const std::function<bool()> &launches) {
    for (int64_t run = -2; run < 0; ++run)
      replay.run(*device, {run}, launches);
    ASSERT_TRUE(replay.isKept());
    contents();
  }
  using Numbers = std::vector<int32_t>;
  /// What was added to each place since this was asked last.
  Numbers contents() {
    Numbers read(places);
    device->copyOut(read.data(), numbers.data(), numbers.size());
    device->fill(numbers.data(), 0, numbers.size());
    EXPECT_TRUE(device->wait());
    return read;
  }
  /// How often the driver was asked for something since this was asked last; -1: nobody counts.
  int count(const std::string &what) {
    if (std::string_view(GetParam()) != "cuda")
      return -1;
    std::ifstream lines(asked);
    int found = 0;
    for (std::string line; std::getline(lines, line);)
      found += line.starts_with(what);
    return found - std::exchange(before[what], found);
  }
  void expectCount(const std::string &what, int expected) {
    int found = count(what);
    EXPECT_TRUE(found < 0 || found == expected) << what << ": " << found << ", not " << expected;
  }

  std::string asked;
  std::map<std::string, int> before;
  CodeMemory numbers;
  Replay replay;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(All, ReplayTest, testing::Values("cuda-emulated", "cuda"));

TEST_P(ReplayTest, TheSameIsPlayedWithoutAsking) {
  int calls = 0;
  for (int run = 0; run < 5; ++run) {
    replay.run(*device, {1}, [&] {
      ++calls;
      ask(1, 7);
      device->copyWithin(at(2), at(1), 4);
      return true;
    });
    EXPECT_EQ(contents(), (Numbers{0, 7, 7, 0, 0, 0, 0, 0}));
  }
  EXPECT_EQ(calls, 2);
  expectCount("play", 4);
}

/// As for each token: one launch differs, one copy does, and one launch is the same.
TEST_P(ReplayTest, WhatDiffersIsChanged) {
  for (int token = 0; token < 6; ++token) {
    replay.run(*device, {token}, [&] {
      ask(0, 5, {.unread = token});
      ask(1, large + token);
      device->copyWithin(at(2 + token), at(1), 4);
      return true;
    });
    Numbers expected(places);
    expected[0] = 5;
    expected[1] = expected[static_cast<size_t>(2 + token)] = large + token;
    EXPECT_EQ(contents(), expected) << token;
  }
  expectCount("launched", 2); // the first run
  expectCount("captured", 2); // the second
  expectCount("graph of 3", 1);
  expectCount("changed", 4 * 2);
  expectCount("play", 5);
}

/// A graph whose values were changed is not taken for one that has the old ones.
TEST_P(ReplayTest, ValuesComeBack) {
  for (int value : {1, 2, 3, 2, 3, 3, 2, 2, 1}) {
    replay.run(*device, {value}, [&] {
      ask(0, value);
      return true;
    });
    EXPECT_EQ(contents()[0], value);
  }
}

/// Each of what a launch has by value, alone.
TEST_P(ReplayTest, AllValuesMatter) {
  CodeMemory other = take(places * 4), scratch = take(8);
  More more;
  auto launches = [&] {
    ask(0, 1, more);
    return true;
  };
  keep(launches);
  auto run = [&](int number) {
    device->fill(other.data(), 0, other.size());
    device->fill(scratch.data(), 0, scratch.size());
    replay.run(*device, {number}, launches);
    expectCount("changed", 1);
    Numbers found = contents();
    device->copyWithin(at(0), other.data(), 8);
    device->copyWithin(at(2), scratch.data(), 8);
    Numbers elsewhere = contents();
    found.resize(3);
    found.insert(found.end(), elsewhere.begin(), elsewhere.begin() + 4);
    return found;
  };
  more.blocks = 3;
  EXPECT_EQ(run(1), (Numbers{1, 1, 1, 0, 0, 0, 0}));
  more.memory = other.data();
  EXPECT_EQ(run(2), (Numbers{0, 0, 0, 1, 1, 0, 0}));
  more.scratch = scratch.data();
  EXPECT_EQ(run(3), (Numbers{0, 0, 0, 1, 1, 3, 0}));
  more.scratch = scratch.data() + 4;
  EXPECT_EQ(run(4), (Numbers{0, 0, 0, 1, 1, 0, 3}));
}

TEST_P(ReplayTest, OtherLaunchesAreMadeAnew) {
  keep([&] {
    ask(0, 1);
    ask(1, 1);
    return true;
  });
  auto more = [&] {
    ask(0, 2);
    ask(1, 2);
    ask(2, 2);
    return true;
  };
  replay.run(*device, {1}, more);
  EXPECT_EQ(contents(), (Numbers{2, 2, 2, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(replay.isKept()) << "it would play two launches";
  auto copies = [&] {
    ask(0, 3);
    device->copyWithin(at(3), at(0), 4);
    return true;
  };
  for (int run = 2; run < 8; ++run) {
    replay.run(*device, {run}, copies);
    EXPECT_EQ(contents(), (Numbers{3, 0, 0, 3, 0, 0, 0, 0}));
  }
  EXPECT_TRUE(replay.isKept());
}

TEST_P(ReplayTest, OtherKernelsAreMadeAnew) {
  More more;
  auto launches = [&] {
    ask(0, 1, more);
    return true;
  };
  keep(launches);
  more.kernel = &another;
  replay.run(*device, {1}, launches);
  EXPECT_EQ(contents()[0], 1);
  EXPECT_FALSE(replay.isKept()) << "what a node has beside parameters is of its kernel";
}

/// Fewer launches than the graph has, of which all it asks for are the same.
TEST_P(ReplayTest, WhatIsLeftOutIsNotPlayed) {
  bool both = true;
  auto launches = [&] {
    ask(0, 1);
    if (both)
      ask(1, 1);
    return true;
  };
  keep(launches);
  both = false;
  replay.run(*device, {1}, launches);
  EXPECT_EQ(contents(), (Numbers{1, 0, 0, 0, 0, 0, 0, 0}));
}

/// Who stops in the middle has changed some of the graph, and nothing is played.
TEST_P(ReplayTest, StoppedRunsLeaveNothing) {
  keep([&] {
    ask(0, 1);
    ask(1, 1);
    return true;
  });
  replay.run(*device, {1}, [&] {
    ask(0, 9);
    return false;
  });
  EXPECT_EQ(contents(), Numbers(places));
  EXPECT_FALSE(replay.isKept());
}

/// A driver may wait for what runs before it has a kernel's code in place, and does not while it
/// captures.
TEST_P(ReplayTest, NewKernelsAreLaunchedFirst) {
  bool isSecond = false;
  auto launches = [&] {
    ask(0, 2);
    if (isSecond)
      ask(1, 3, {.kernel = &another});
    return true;
  };
  for (int run = 0; run < 7; ++run) {
    isSecond = run > 0;
    replay.run(*device, {run}, launches);
    EXPECT_EQ(contents(), (Numbers{2, isSecond ? 3 : 0, 0, 0, 0, 0, 0, 0}));
  }
  EXPECT_TRUE(device->failure());
  EXPECT_TRUE(replay.isKept());
}

/// What this machine's memory holds is another thing each time: no graph has that.
TEST_P(ReplayTest, CopiesInAreNotKept) {
  for (int32_t run = 1; run < 8; ++run) {
    std::array<int32_t, 1> here = {run};
    replay.run(*device, {run % 2}, [&] {
      device->copyIn(numbers.data(), here.data(), 4);
      return true;
    });
    EXPECT_EQ(contents()[0], run);
    EXPECT_FALSE(replay.isKept());
  }
}

/// Launches that differ each time are not captured each time.
TEST_P(ReplayTest, GraphsOfNoUseAreSeldomMade) {
  for (int run = 0; run < 40; ++run) {
    replay.run(*device, {run}, [&] {
      ask(0, run);
      if (run % 2)
        ask(1, run);
      return true;
    });
    EXPECT_EQ(contents(), (Numbers{run, run % 2 ? run : 0, 0, 0, 0, 0, 0, 0}));
  }
  expectCount("graph of", 10);
}
