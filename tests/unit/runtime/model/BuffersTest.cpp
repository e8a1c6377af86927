// Where the buffers of a run begin: behind what the program says.
#include "runtime/model/SizeFormula.h"

#include <gtest/gtest.h>

#include <random>

using namespace weft::runtime;

namespace {
/// So many bytes, and so many times dimension 0.
std::vector<SizeFormula> buffer(int64_t bytes, int64_t each = 0) {
  return {{{{bytes, {}}, {each, {0}}}, {}}};
}
} // namespace

TEST(Buffers, OneBehindTheOther) {
  const int64_t sizes[] = {10};
  EXPECT_EQ(startsOf({buffer(1), buffer(0, 13), buffer(64)}, sizes),
            (std::vector<int64_t>{0, 64, 256, 320}));
  EXPECT_EQ(startsOf({}, sizes), std::vector<int64_t>{0});
}

// The third begins where the longer of the two below it ends, whichever that is; a key has no list.
TEST(Buffers, BehindWhatIsSaid) {
  BufferSizes buffers = {buffer(0, 64), buffer(640), buffer(64), buffer(24)};
  BuffersBehind behind = {{}, {}, {0, 1}};
  const int64_t few[] = {3}, many[] = {30};
  EXPECT_EQ(startsOf(buffers, few, behind), (std::vector<int64_t>{0, 0, 640, 704, 768}));
  EXPECT_EQ(startsOf(buffers, many, behind), (std::vector<int64_t>{0, 0, 1920, 1984, 2048}));
}

TEST(Buffers, BeyondEveryMachine) {
  const int64_t sizes[] = {int64_t(1) << 62};
  std::vector<int64_t> starts =
      startsOf({buffer(1), buffer(0, 64), buffer(1)}, sizes, {{}, {0}, {}});
  EXPECT_GE(starts.back(), int64_t(1) << 56);
  EXPECT_EQ(starts[2], 0);
}
