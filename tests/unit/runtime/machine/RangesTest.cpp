// Ranges cover each element once, the same on any number of threads, and a profile knows of them.
#include "runtime/machine/Ranges.h"
#include "runtime/machine/LaunchTimes.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace weft::runtime;

TEST(Ranges, CoverEachElementOnce) {
  for (int threads : {1, 3, 16})
    for (int64_t count : {0, 1, 65535, 65536, 65537, 1000000}) {
      auto pool = Pool::start(threads, false);
      std::vector<char> seen(static_cast<size_t>(count));
      std::vector<std::atomic<int>> starts(count / 65536 + 1);
      overRanges(*pool, "test", count, [&](int64_t begin, int64_t end) {
        EXPECT_EQ(begin % 65536, 0);
        starts[begin / 65536].fetch_add(1);
        for (int64_t i = begin; i < end; ++i)
          ++seen[i];
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count);
      for (int64_t i = 0; i * 65536 < count; ++i)
        EXPECT_EQ(starts[i], 1);
    }
}

TEST(Ranges, AreNoted) {
  for (bool byTask : {false, true}) {
    auto pool = Pool::start(2, false);
    LaunchTimes times = byTask ? LaunchTimes::ofTasks(0) : LaunchTimes(2, 0);
    pool->times = &times;
    overRanges(*pool, "test", 200000, [](int64_t, int64_t) {});
    pool->times = nullptr;
    ASSERT_EQ(times.launches().size(), 1u);
    EXPECT_EQ(times.launches()[0].name, std::string("test"));
    EXPECT_EQ(times.launches()[0].tasks, 4);
    size_t chunks = 0;
    for (const auto &each : times.chunksByThread())
      chunks += each.size();
    EXPECT_EQ(chunks, 4u);
    EXPECT_EQ(times.chunksByThread().size(), byTask ? 1u : 2u);
  }
}

TEST(Ranges, ComputeTheSameOnEveryThread) {
  const float small = 1e-38f; // the smallest one that is no denormal is 1.2e-38
  std::vector<float> found[2];
  for (int threads : {1, 3}) {
    auto pool = Pool::start(threads, false);
    std::vector<float> &values = found[threads > 1];
    values.assign(1000000, small);
    overRanges(*pool, "test", static_cast<int64_t>(values.size()), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        values[i] = values[i] * 0.125f + 2e-38f * 0.25f;
    });
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(std::count(found[0].begin(), found[0].end(), 0.0f), 1000000);
}
