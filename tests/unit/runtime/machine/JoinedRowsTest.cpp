// Rows of several runs as one launch: what is copied where, and which runs do not go together.
#include "runtime/machine/JoinedRows.h"

#include <gtest/gtest.h>
#include <random>

using namespace weft::runtime;

namespace {
constexpr int64_t width = 3, pitch = 4; // numbers of a place, and from one to the next
enum Size { places, scale, other };     // by number

std::vector<int64_t> launched; // the places of each launch

// y[place] = x[place] * weights, for `width` numbers; the weights are the same for all places.
void multiply(const int64_t *sizes, void *const *buffers, int64_t begin, int64_t end, char *) {
  ASSERT_EQ(begin, 0);
  ASSERT_EQ(end, sizes[places]) << "a task for each place";
  launched.push_back(sizes[places]);
  auto *weights = static_cast<const int64_t *>(buffers[0]),
       *x = static_cast<const int64_t *>(buffers[1]);
  auto *y = static_cast<int64_t *>(buffers[2]);
  for (int64_t place = 0; place < sizes[places]; ++place)
    for (int64_t i = 0; i < width; ++i)
      y[place * pitch + i] = x[place * pitch + i] * weights[i] * sizes[scale];
}

void describe(const int64_t *sizes, int64_t *about) {
  constexpr int64_t bytes = sizeof(int64_t);
  const int64_t numbers[] = {sizes[places] * 2, sizes[places], 0, 0, pitch * bytes, width * bytes,
                             pitch * bytes,     width * bytes};
  std::copy(std::begin(numbers), std::end(numbers), about);
}

const uint32_t reads[] = {scale};
const WeftRows rows{places, /*operands=*/2, /*most=*/8, reads, 1, describe}; // two rows a place
const WeftNamedKernel kernel{multiply, "multiply", 3, &rows};

struct OneRun {
  explicit OneRun(int64_t count, std::mt19937 &draw) : sizes{count, 5, int64_t(draw() % 9)} {
    for (int64_t i = 0; i < count * pitch; ++i) {
      x.push_back(int64_t(draw() % 100));
      y.push_back(-1);
    }
  }
  LaunchPart part(Pool &pool, int64_t *weights, bool inPlace = false) {
    call.sizes = sizes;
    call.pool = &pool;
    call.scratch = scratch;
    buffers[0] = weights;
    buffers[1] = x.data();
    buffers[2] = inPlace ? x.data() : y.data();
    return {&call, buffers, sizes[places]};
  }
  int64_t sizes[3];
  std::vector<int64_t> x, y;
  WeftCall call{};
  void *buffers[3];
  char scratch[8] = {};
};

class JoinedRowsTest : public testing::Test {
protected:
  void SetUp() override {
    launched.clear();
    pool->begin(true);
  }
  bool launch(std::initializer_list<OneRun *> runs) {
    std::vector<LaunchPart> parts;
    for (OneRun *run : runs)
      parts.push_back(run->part(*pool, weights));
    return joined.launch(*pool, kernel, parts);
  }
  std::unique_ptr<Pool> pool = Pool::start(1, false);
  std::mt19937 draw{1};
  JoinedRows joined{3};
  int64_t weights[width] = {2, 3, 5};
};
} // namespace

TEST_F(JoinedRowsTest, GivesEachRunItsOwn) {
  for (bool inPlace : {false, true})
    for (int round = 0; round < 50; ++round) {
      launched.clear();
      std::vector<OneRun> runs;
      for (size_t count = 2 + draw() % 6; runs.size() < count;)
        runs.emplace_back(1 + draw() % 3, draw);
      std::vector<std::vector<int64_t>> before;
      std::vector<LaunchPart> parts;
      int64_t all = 0;
      for (OneRun &run : runs) {
        before.push_back(run.x);
        parts.push_back(run.part(*pool, weights, inPlace));
        all += run.sizes[places];
      }
      bool done = joined.launch(*pool, kernel, parts);
      if (!done) // each alone is too large to go with its neighbour
        continue;
      int64_t sum = 0;
      for (int64_t each : launched) {
        EXPECT_LE(each, 4);
        sum += each;
      }
      EXPECT_EQ(sum, all);
      EXPECT_LT(launched.size(), runs.size());
      for (size_t r = 0; r < runs.size(); ++r)
        for (int64_t i = 0; i < runs[r].sizes[places] * pitch; ++i) {
          const bool between = i % pitch >= width;
          const int64_t is = inPlace ? runs[r].x[i] : runs[r].y[i];
          EXPECT_EQ(is,
                    between ? (inPlace ? before[r][i] : -1) : before[r][i] * weights[i % pitch] * 5)
              << "what lies between places is not touched";
        }
    }
}

TEST_F(JoinedRowsTest, OtherSizesOrWeightsDoNotGoTogether) {
  OneRun first(1, draw), second(1, draw);
  EXPECT_TRUE(launch({&first, &second}));
  second.sizes[other] = first.sizes[other] + 1; // which the kernel does not read
  EXPECT_TRUE(launch({&first, &second}));
  launched.clear();
  second.sizes[scale] = 6;
  EXPECT_FALSE(launch({&first, &second}));
  second.sizes[scale] = 5;
  int64_t others[width] = {2, 3, 5};
  LaunchPart parts[] = {first.part(*pool, weights), second.part(*pool, others)};
  EXPECT_FALSE(joined.launch(*pool, kernel, parts)) << "they are equal now, but not the same";
  EXPECT_FALSE(launch({&first}));
  OneRun large(4, draw);
  EXPECT_FALSE(launch({&first, &large})) << "no two are few enough";
  const WeftNamedKernel unknown{multiply, "multiply", 3, nullptr};
  EXPECT_FALSE(joined.launch(*pool, unknown, parts));
  EXPECT_TRUE(launched.empty());
}

TEST_F(JoinedRowsTest, WhatOverlapsOtherwiseDoesNotGoTogether) {
  OneRun first(2, draw), second(2, draw);
  auto overlapping = [&](OneRun &run, int64_t by) {
    LaunchPart part = run.part(*pool, weights);
    run.buffers[2] = run.x.data() + by;
    return part;
  };
  LaunchPart shifted[] = {overlapping(first, 1), overlapping(second, 1)};
  EXPECT_FALSE(joined.launch(*pool, kernel, shifted));
  LaunchPart one[] = {first.part(*pool, weights, /*inPlace=*/true), second.part(*pool, weights)};
  EXPECT_FALSE(joined.launch(*pool, kernel, one)) << "in place in one run only";
  EXPECT_TRUE(launched.empty());
}
