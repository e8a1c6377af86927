// Products of few rows, whose tiles are wider.
#include "ContractionCase.h"
#include "EveryIsa.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

class FewRowsTest : public EveryIsa {};

// A wider tile for few rows: in tasks that have no more from the start, and in last ones.
TEST_P(FewRowsTest, TakeMorePanels) {
  for (Beside few : {Beside{.fewRows = 1, .fewWidths = 2}, Beside{.fewRows = 2, .fewWidths = 2},
                     Beside{.fewRows = 1, .fewWidths = 3}})
    for (int64_t rows : {8, 96}) {
      SCOPED_TRACE(fmt::format("{} rows, {} widths", few.fewRows, few.fewWidths));
      Kernel kernel(GetParam(), plain({"m", "n", "k"}, ", " + blocks(rows, 192, 8, few)));
      ASSERT_TRUE(kernel.ok());
      for (int64_t m : {1, 2, 3, 9, 10, 98})
        for (int64_t n : {17, 65, 193})
          checkPlain(kernel, m, n, 19);
    }
}

TEST_P(FewRowsTest, AreKnown) {
  Kernel kernel(GetParam(),
                plain({"m=2", "n", "k"}, ", " + blocks(8, 192, 8, {.fewRows = 2, .fewWidths = 2})));
  ASSERT_TRUE(kernel.ok());
  for (int64_t n : {1, 17, 48, 100, 193})
    checkPlain(kernel, 2, n, 19);
}

INSTANTIATE_TEST_SUITE_P(Isa, FewRowsTest, everyIsa(), isaName);

} // namespace
