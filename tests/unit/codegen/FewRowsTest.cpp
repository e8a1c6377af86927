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

/// Schedules by which hardly any work is worth a task.
std::string fineBlocks(Beside few = {}, int64_t rows = 8, int64_t k = 8) {
  std::string text = blocks(rows, 192, k, few);
  const std::string usual = "work = 131072";
  for (size_t at; (at = text.find(usual)) != std::string::npos;)
    text.replace(at, usual.size(), "work = 64");
  return ", " + text;
}

// Where rows are one tile there is a task for each panel, though tiles are three wide; beyond that
// tasks have whole tiles.
TEST_P(FewRowsTest, AreCutByPanels) {
  Kernel kernel(GetParam(), plain({"m", "n=768", "k"}, fineBlocks()));
  ASSERT_TRUE(kernel.ok());
  for (int64_t m : {1, 2, 6})
    EXPECT_EQ(kernel.tasks({{"m", m}, {"n", 768}, {"k", 700}}), 48);
  int64_t many = kernel.tasks({{"m", 9}, {"n", 768}, {"k", 700}});
  EXPECT_EQ(many, GetParam() == cpu::Isa::x86_64_v3 ? 96 : 32);
  Kernel known(GetParam(), plain({"m=96", "n=768", "k"}, fineBlocks()));
  ASSERT_TRUE(known.ok());
  EXPECT_EQ(known.tasks({{"m", 96}, {"n", 768}, {"k", 700}}) % (768 / 48), 0);
}

TEST_P(FewRowsTest, AreRightHoweverTheyAreCut) {
  for (const char *columns : {"n=96", "n=16", "n=144", "n=100", "n"})
    for (Beside few : {Beside{}, Beside{.fewRows = 2, .fewWidths = 2}}) {
      Kernel kernel(GetParam(), plain({"m", columns, "k"}, fineBlocks(few)));
      ASSERT_TRUE(kernel.ok());
      std::string size = columns;
      for (int64_t m : {1, 2, 6, 7, 8, 9, 17})
        checkPlain(kernel, m, size == "n" ? 209 : std::stoll(size.substr(2)), 21);
    }
}

// Neighbouring tasks of a range are done as one, with the bits of each alone, which is what a
// kernel is run for (KernelHarness): also where last rows are no whole tile.
TEST_P(FewRowsTest, AreTheSameInTasksDoneTogether) {
  for (Beside few : {Beside{}, Beside{.fewRows = 2, .fewWidths = 2}}) {
    Kernel kernel(GetParam(), plain({"m", "n", "k"}, fineBlocks(few, 48, 256)));
    ASSERT_TRUE(kernel.ok());
    for (int64_t m : {33, 41, 43, 48, 97, 192}) {
      EXPECT_GT(kernel.tasks({{"m", m}, {"n", 70}, {"k", 300}}), 4);
      checkPlain(kernel, m, 70, 300);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, FewRowsTest, everyIsa(), isaName);

} // namespace
