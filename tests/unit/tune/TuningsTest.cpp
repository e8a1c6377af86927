// What tuning has found, as text: it reads as it was written, and what was damaged, is of another
// machine or version, or is no entry at all is left out one by one, with its line.
#include "ir/cpu/tuning/Tunings.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

using namespace weft;
using namespace weft::cpu;

namespace {

Tuning made(unsigned number) {
  return {.kernel = "00000000000000a" + std::to_string(number % 10),
          .what = "contraction \"q, k\"",
          .set = "x86-64-v3",
          .machine = "Some EPYC, caches 32 KiB 512 KiB 32 MiB, 2 cores",
          .by = madeBy(kernel::Family::contraction),
          .sizes = "batch=4 seq=64",
          .usual = "#cpu.contraction<tile = 6x16>",
          .tuned = "#cpu.contraction<tile = 4x16>",
          .usualMicroseconds = 1234.5 + number,
          .tunedMicroseconds = 1100,
          .pairs = 20};
}

bool same(const Tuning &one, const Tuning &other) {
  return writeTuning(one) == writeTuning(other);
}

TEST(Tunings, ReadAsTheyWereWritten) {
  Tuning unfinished = made(2);
  unfinished.untried = 7;
  std::string text = "# a comment\n\n" + writeTuning(made(1)) + "\n" + writeTuning(unfinished);
  ReadTunings read = readTunings(text);
  EXPECT_TRUE(read.problems.empty());
  ASSERT_EQ(read.tunings.size(), 2u);
  EXPECT_TRUE(same(read.tunings[0], made(1)));
  EXPECT_EQ(read.tunings[1].machine, made(2).machine);
  EXPECT_EQ(read.tunings[1].what, made(2).what);
  EXPECT_EQ(read.tunings[1].usual, made(2).usual);
  EXPECT_EQ(read.tunings[0].untried, 0);
  EXPECT_EQ(read.tunings[1].untried, 7);
  EXPECT_EQ(read.tunings[0].line, 3u);
  EXPECT_EQ(read.tunings[1].line, 12u);
}

// Kernels are other code than what was measured.
TEST(Tunings, OfEmittersBeforeTheseAreNotUsed) {
  for (const char *before :
       {"contraction 3", "attention 2", "attention_grad 1", "rows 1", "scatter 1"}) {
    Tuning old = made(1);
    old.what = llvm::StringRef(before).split(' ').first.str() + " \"of old\"";
    old.by = old.by.substr(0, old.by.find(", ") + 2) + before;
    ReadTunings read = readTunings(writeTuning(old));
    ASSERT_EQ(read.tunings.size(), 1u) << before;
    EXPECT_TRUE(tableOf(read, old.machine).empty()) << before;
    ASSERT_EQ(read.problems.size(), 1u) << before;
    EXPECT_NE(read.problems[0].why.find("tune it again"), std::string::npos) << before;
  }
}

// Every byte in turn becomes another one, or goes: the entry that it is in is not used, the others
// are, and the line that is named is of that entry.
TEST(Tunings, ADamagedByteCostsItsEntryAlone) {
  std::string first = writeTuning(made(1)), second = writeTuning(made(2)),
              third = writeTuning(made(3)), text = first + second + third;
  unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  auto begin = unsigned(std::count(first.begin(), first.end(), '\n')),
       lines = unsigned(std::count(second.begin(), second.end(), '\n'));
  for (size_t at = first.size(); at < first.size() + second.size(); ++at)
    for (bool gone : {false, true}) {
      std::string damaged = text;
      if (gone)
        damaged.erase(at, 1);
      else
        damaged[at] = char(random() % 256);
      if (damaged == text)
        continue;
      ReadTunings read = readTunings(damaged);
      bool joins = at + 1 == first.size() + second.size(); // the newline before the third
      ASSERT_FALSE(read.problems.empty()) << "byte " << at << ", seed " << seed;
      ASSERT_EQ(read.tunings.size(), joins ? 1u : 2u) << "byte " << at << ", seed " << seed;
      EXPECT_TRUE(same(read.tunings.front(), made(1)));
      if (!joins)
        EXPECT_TRUE(same(read.tunings.back(), made(3)));
      for (const TuningProblem &problem : read.problems) {
        EXPECT_GT(problem.line, begin);
        EXPECT_LE(problem.line, begin + lines + 1 + (joins ? 8 : 0)); // a byte may become a newline
        EXPECT_FALSE(problem.why.empty());
      }
    }
}

TEST(Tunings, ALineThatIsMissingOrTwiceCostsItsEntryAlone) {
  std::string entry = writeTuning(made(1));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(entry).split(lines, '\n', -1, false);
  for (size_t missing = 0; missing < lines.size(); ++missing)
    for (bool twice : {false, true}) {
      std::string text = writeTuning(made(2));
      for (size_t i = 0; i < lines.size(); ++i)
        for (int copies = i == missing ? 2 * twice : 1; copies > 0; --copies)
          text += lines[i].str() + "\n";
      text += writeTuning(made(3));
      ReadTunings read = readTunings(text);
      bool extra = missing == 0; // a first line twice is an entry that ends at once; without it,
                                 // the entry before goes on
      ASSERT_EQ(read.tunings.size(), extra ? (twice ? 3u : 1u) : 2u) << missing << twice;
      EXPECT_EQ(read.problems.size(), 1u);
    }
}

TEST(Tunings, RandomTextIsNeverAnEntry) {
  unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::string good = writeTuning(made(1));
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (size_t length = random() % 400; text.size() < length;)
      switch (random() % 4) {
      case 0:
        text += char(random() % 256);
        break;
      case 1:
        text += "\n  ";
        break;
      default: {
        size_t from = random() % good.size();
        text += good.substr(from, random() % 60);
      }
      }
    for (const Tuning &tuning : readTunings(text).tunings)
      EXPECT_TRUE(same(tuning, made(1))) << "seed " << seed;
  }
}

TEST(Tunings, LongLinesAreRefused) {
  Tuning tuning = made(1);
  tuning.tuned += std::string(3000, 'x');
  ReadTunings read = readTunings(writeTuning(tuning));
  EXPECT_TRUE(read.tunings.empty());
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_EQ(read.problems[0].line, 6u);
  EXPECT_NE(read.problems[0].why.find("longer than 2000"), std::string::npos);
}

// Of another machine, by another version, of no family.
TEST(Tunings, ForeignEntriesAreProblems) {
  Tuning foreign = made(1), old = made(2), none = made(3);
  foreign.machine = "a toaster, 1 core";
  old.by = "weft 0.0.1, contraction 1";
  none.what = "convolution \"x\"";
  ReadTunings read = readTunings(writeTuning(none) + writeTuning(foreign) + writeTuning(made(4)) +
                                 writeTuning(old));
  TuningTable table = tableOf(read, made(1).machine);
  ASSERT_EQ(table.size(), 1u);
  EXPECT_TRUE(same(table.begin()->second, made(4)));
  ASSERT_EQ(read.problems.size(), 3u);
  EXPECT_EQ(read.problems[0].line, 1u);
  EXPECT_NE(read.problems[0].why.find("there is no family `convolution`"), std::string::npos);
  EXPECT_NE(read.problems[1].why.find("of another machine: a toaster"), std::string::npos);
  EXPECT_NE(read.problems[2].why.find("it is by weft 0.0.1, contraction 1"), std::string::npos);
}

// Two files one behind the other are a file, in either order.
TEST(Tunings, TheBestFoundedEntryWins) {
  Tuning few = made(1), many = made(1), gains = made(1), usual = made(1);
  few.pairs = 10;
  many.pairs = 30;
  many.tunedMicroseconds = 1200;
  gains.pairs = 30;
  usual.pairs = 0;
  usual.tuned = usual.usual;
  Tuning unfinished = gains;
  unfinished.untried = 3;
  std::vector<Tuning> all{few, many, gains, usual, unfinished};
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(all.begin(), all.end(), random);
    std::string text;
    for (const Tuning &each : all)
      text += writeTuning(each);
    ReadTunings read = readTunings(text);
    TuningTable table = tableOf(read, made(1).machine);
    ASSERT_EQ(table.size(), 1u);
    EXPECT_TRUE(same(table.begin()->second, gains));
    std::vector<Tuning> one = merged(all);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_TRUE(same(one.front(), gains));
  }
}

TEST(Tunings, MergingKeepsMachinesSetsAndVersionsApart) {
  Tuning machine = made(1), set = made(1), by = made(1);
  machine.machine = "another, 4 cores";
  set.set = "avx512";
  by.by = "weft 9.0.0, contraction 7";
  EXPECT_EQ(merged({made(1), machine, set, by, made(1)}).size(), 4u);
}

} // namespace
