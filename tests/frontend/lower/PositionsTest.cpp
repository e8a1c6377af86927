// Positions that are computed, against every small size: random programs look them up, and what is
// taken to be inside is computed here as programs compute it, in 32 bits and in floats.
#include "Built.h"

#include "ir/model/obligations/Obligations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace weft;
using namespace weft::test;

namespace {
/// The sizes of a run and one position along each dimension.
using Values = std::map<std::string, int64_t>;

/// A number as programs have it: an int that wraps, or a float that rounds. A value that is made
/// of sizes alone may be exact until it meets another.
struct Number {
  bool isFloat = false, ofSizes = false;
  int64_t whole = 0;
  float real = 0;

  float asFloat() const { return isFloat ? real : static_cast<float>(whole); }
};

struct Term {
  std::string text;
  std::function<Number(const Values &, bool wraps)> value;
};

int64_t wrapped(int64_t x) {
  return static_cast<int32_t>(static_cast<uint32_t>(x));
}

Number whole(int64_t value) {
  return {false, false, wrapped(value), 0};
}

int64_t floorOf(float x) {
  if (std::isnan(x))
    return 0;
  return static_cast<int64_t>(
      std::clamp(std::floor(double(x)), double(INT32_MIN), double(INT32_MAX)));
}

int64_t floorDivide(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return std::min<int64_t>(a / b - (a % b != 0 && (a < 0) != (b < 0)), INT32_MAX);
}

class Programs {
public:
  explicit Programs(unsigned seed) : random(seed) {}

  Term make(int depth) { return term(depth); }

private:
  unsigned pick(unsigned count) { return random() % count; }

  Term leaf() {
    static const char *dims[] = {"n", "m", "s", "w", "half"};
    static const int64_t numbers[] = {0, 1, 1, 2, 3, 5, 65536, 46341, 16777217, 2147483647};
    std::string dim = dims[pick(5)];
    switch (pick(4)) {
    case 0:
      return {"size(" + dim + ")",
              [=](const Values &at, bool wraps) { return Number{false, !wraps, at.at(dim), 0}; }};
    case 1: {
      int64_t number = numbers[pick(10)];
      return {std::to_string(number),
              [=](const Values &, bool wraps) { return Number{false, !wraps, number, 0}; }};
    }
    default:
      return {"index(" + dim + ")",
              [=](const Values &at, bool) { return whole(at.at("at " + dim)); }};
    }
  }

  Term arithmetic(char op, Term a, Term b) {
    return {"(" + a.text + " " + op + " " + b.text + ")", [=](const Values &at, bool wraps) {
              Number x = a.value(at, wraps), y = b.value(at, wraps);
              auto apply = [op](auto x, auto y) {
                return op == '+' ? x + y : op == '-' ? x - y : x * y;
              };
              if (x.isFloat || y.isFloat)
                return Number{true, false, 0, apply(x.asFloat(), y.asFloat())};
              if (x.ofSizes && y.ofSizes)
                return Number{false, true, apply(x.whole, y.whole), 0};
              return whole(apply(wrapped(x.whole), wrapped(y.whole)));
            }};
  }

  Term term(int depth) {
    if (depth == 0)
      return leaf();
    Term a = term(depth - 1), b = term(depth - 1 - (depth > 1 && pick(2)));
    auto wholes = [](const Number &x) { return wrapped(x.whole); };
    switch (pick(9)) {
    case 0:
      return arithmetic('+', a, b);
    case 1:
      return arithmetic('-', a, b);
    case 2:
      return arithmetic('*', a, b);
    case 3:
      return {"(" + a.text + " % " + b.text + ")", [=](const Values &at, bool wraps) {
                int64_t x = wholes(a.value(at, wraps)), y = wholes(b.value(at, wraps));
                return whole(y == 0 ? 0 : x - y * floorDivide(x, y));
              }};
    case 4:
    case 5:
      return {"floor(" + a.text + " / " + b.text + ")", [=](const Values &at, bool wraps) {
                return whole(floorDivide(wholes(a.value(at, wraps)), wholes(b.value(at, wraps))));
              }};
    case 6: {
      Term c = leaf();
      char op = "+-*"[pick(3)];
      Term quotient{"(" + a.text + " / " + b.text + ")", [=](const Values &at, bool wraps) {
                      Number x = a.value(at, wraps), y = b.value(at, wraps);
                      return Number{true, false, 0, x.asFloat() / y.asFloat()};
                    }};
      Term all = arithmetic(op, quotient, c);
      return {"floor(" + all.text + ")", [=](const Values &at, bool wraps) {
                return whole(floorOf(all.value(at, wraps).asFloat()));
              }};
    }
    default: {
      bool largest = pick(2);
      return {(largest ? "max(" : "min(") + a.text + ", " + b.text + ")",
              [=](const Values &at, bool wraps) {
                int64_t x = wholes(a.value(at, wraps)), y = wholes(b.value(at, wraps));
                return whole(largest ? std::max(x, y) : std::min(x, y));
              }};
    }
    }
  }

  std::mt19937 random;
};

const char *head = "dim n, m, s <= n, w = n + m, half = m / 2\n"
                   "entry run(x: [n], y: [m], z: [s]) -> [n, m, s, w, half] = "
                   "expand[(n, m, s, w, half)](x[n = ";

/// What a program that looks an index up in `n` asks of sizes, or nothing where it
/// is refused.
std::optional<std::vector<model::RequireAttr>> asked(Built &built) {
  if (!built.module)
    return std::nullopt;
  auto function = *built.module->getOps<mlir::func::FuncOp>().begin();
  model::Dims dims(*built.module);
  model::Demands demands = model::demands(function, dims);
  model::Known known(dims);
  std::vector<model::RequireAttr> left;
  if (!demands.unproved.empty())
    return std::nullopt;
  for (const model::Obligation &each : demands.all)
    switch (known.judge(each)) {
    case model::Known::Verdict::never:
      return std::nullopt;
    case model::Known::Verdict::open:
      left.push_back(each.holds);
      break;
    case model::Known::Verdict::always:
      break;
    }
  return left;
}

bool fits(const std::vector<model::RequireAttr> &asked, const Values &sizes) {
  return llvm::none_of(asked, [&](model::RequireAttr what) {
    return model::broken(what,
                         [&](const std::string &name) -> std::optional<int64_t> {
                           auto found = sizes.find(name);
                           return found == sizes.end() ? std::nullopt
                                                       : std::optional(found->second);
                         })
        .has_value();
  });
}
} // namespace

TEST(PositionsTest, WhatIsAcceptedIsInsideAtEverySmallSize) {
  unsigned seed = std::random_device{}();
  if (const char *given = std::getenv("WEFT_SEED"))
    seed = std::stoul(given);
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  Programs programs(seed);
  unsigned accepted = 0, looked = 0;
  for (int round = 0; round < 1500; ++round) {
    Term index = programs.make(1 + round % 3);
    Built built(head + index.text + "])\n", BuildOptions());
    auto obligations = asked(built);
    if (!obligations)
      continue;
    ++accepted;
    for (int64_t n = 1; n <= 5; ++n)
      for (int64_t m = 2; m <= 6; m += 2)
        for (int64_t s = 1; s <= n; ++s) {
          Values at = {{"n", n}, {"m", m}, {"s", s}, {"w", n + m}, {"half", m / 2}};
          if (!fits(*obligations, at))
            continue;
          // All positions, with those of the five dimensions in step: each meets each other's ends.
          for (int64_t i = 0; i < 300; ++i) {
            at["at n"] = i % n, at["at s"] = i / 5 % s, at["at m"] = i / 50 % m;
            at["at w"] = (i * 7) % (n + m), at["at half"] = m > 1 ? i / 7 % (m / 2) : 0;
            for (bool wraps : {false, true}) {
              int64_t position = wrapped(index.value(at, wraps).whole);
              ++looked;
              ASSERT_TRUE(position >= 0 && position < n)
                  << index.text << " is " << position << " at n = " << n << ", m = " << m
                  << ", s = " << s << ", positions " << at["at n"] << ", " << at["at m"] << ", "
                  << at["at s"] << ", " << at["at w"] << ", " << at["at half"];
            }
          }
        }
  }
  printf("%u of 1500 programs accepted, %u positions\n", accepted, looked);
  EXPECT_GT(accepted, 50u);
}

TEST(PositionsTest, AcceptsWhatProgramsNeed) {
  for (const char *index :
       {"index(s)", "index(n)", "max(index(n) - 1, 0)", "floor(index(n) / 2)", "index(m) % size(n)",
        "(index(m) * 1000000007) % size(n)", "min(index(m), size(n) - 1)", "size(n) - 1 - index(n)",
        "floor(index(n) * size(m) / size(m))", "floor(index(n) / size(m))",
        "floor((index(n) + 1) / 2 + 0)", "clamp[n](index(m) * 65536 * 65536)",
        "where(index(n) < 2, index(n), 0)", "floor((index(s) + index(n)) / 2)", "argmax[n](x)",
        "max(0, min(index(m) * 65536 * 65536, size(n) - 1))",
        // Which of two limits is the better is not known, or there are two for one number.
        "min(min(size(n), index(n)), index(m) + 2)", "max(min(index(n), index(m)), 0)",
        "min(max(index(m), index(w)), size(n) - 1)", "max(index(s), index(n))",
        "max(min(index(n), size(m)), min(index(s), size(w)))",
        "where(index(m) < 2, min(index(m), index(s)), index(n))"}) {
    Built built(std::string(head) + index + "])\n", BuildOptions());
    EXPECT_TRUE(asked(built).has_value()) << index << "\n" << built.errors();
  }
  for (const char *index : {"index(m)", "index(n) + 1", "index(n) + size(s)", "index(n) - 1",
                            "size(n)", "index(n) * 65536 % 65536", "floor(index(n) * 1.5)"}) {
    Built built(std::string(head) + index + "])\n", BuildOptions());
    std::optional<std::vector<model::RequireAttr>> left = asked(built);
    EXPECT_FALSE(left && fits(*left, {{"n", 3}, {"m", 4}, {"s", 3}, {"w", 7}, {"half", 2}}))
        << index;
  }
}

/// A size is at least 1, also where no equation says so.
TEST(PositionsTest, TheLastPositionOfASizeThatIsComputed) {
  for (auto [index, isInside] : {std::pair("size(out) - 1", true),
                                 {"min(index(out) + 1, size(out) - 1)", true},
                                 {"max(size(out) - 2, 0)", true},
                                 {"size(out) - 2", false},
                                 {"max(index(out) - 1, size(out) - 3)", false}}) {
    Built built(std::string("dim s, out = (s - 3) / 2 + 1\n"
                            "entry run(x: [out], y: [s]) -> [out] = x[out = ") +
                    index + "] + 0 * x\n",
                BuildOptions());
    auto left = asked(built);
    ASSERT_EQ(left.has_value(), isInside) << index << "\n" << built.errors();
    if (!isInside)
      continue;
    EXPECT_TRUE(fits(*left, {{"s", 3}, {"out", 1}, {"out_1", 1}})) << index;
    EXPECT_FALSE(fits(*left, {{"s", 1}, {"out", 0}, {"out_1", 0}})) << index;
  }
}

/// Of limits that only a run can be asked about, a position that is written: it is what is meant.
TEST(PositionsTest, ANumberIsAskedBeforeASize) {
  Built built(
      "dim n, k\nentry run(x: [k], y: [n]) -> [n] = x[k = max(min(index(n), 1), 1)] + 0 * y\n",
      BuildOptions());
  auto left = asked(built);
  ASSERT_TRUE(left.has_value()) << built.errors();
  EXPECT_TRUE(fits(*left, {{"n", 5}, {"k", 4}}));
  EXPECT_TRUE(fits(*left, {{"n", 1}, {"k", 2}}));
  EXPECT_FALSE(fits(*left, {{"n", 5}, {"k", 1}}));
}

/// What is said of a dimension that has stepped aside speaks of it as the program does.
TEST(PositionsTest, DimensionsHaveTheNamesOfTheProgram) {
  for (const char *size : {"n", "n = 5"}) {
    Built built("dim m, k, " + std::string(size) +
                    "\nentry run(x: [n], y: [k]) -> [n, k] = "
                    "x[n = min(min(size(n), index(n)), index(k) + 2)] + 0 * sum[k](y)\n",
                BuildOptions());
    auto left = asked(built);
    ASSERT_TRUE(left.has_value()) << built.errors();
    ASSERT_EQ(left->size(), 1u); // k + 2 does not wrap
    EXPECT_TRUE(left->front().getText().getValue().contains("a position along `n` ("));
    EXPECT_TRUE(fits(*left, {{"n", 5}, {"k", 2147483646}}));
    EXPECT_FALSE(fits(*left, {{"n", 5}, {"k", 2147483647}}));
  }
}

/// Programs whose ints wrap at sizes that only a run knows are asked about at run time.
TEST(PositionsTest, WhatKeepsAnIntFromWrappingIsAsked) {
  Built built(std::string(head) + "floor(index(n) * size(m) / size(m))])\n", BuildOptions());
  auto left = asked(built);
  ASSERT_TRUE(left.has_value());
  EXPECT_TRUE(fits(*left, {{"n", 46341}, {"m", 46340}, {"s", 1}, {"w", 92681}, {"half", 23170}}));
  EXPECT_FALSE(fits(*left, {{"n", 65536}, {"m", 65536}, {"s", 1}, {"w", 131072}, {"half", 32768}}));
}

/// What loops carry: positions that change places and stay positions, many that depend on each
/// other, and one that runs away.
TEST(PositionsTest, LoopsKeepWhatTheyBeginWith) {
  auto loop = [](const std::string &steps, const std::string &index) {
    std::string begin, names = "abcdefghijklmnopqrst";
    for (char name : names)
      begin += std::string("  ") + name + name + " = index(n)\n";
    return "dim n, layer = 3\nentry run(x: [n]) -> [n] {\n" + begin + "  repeat[layer] {\n" +
           steps + "  }\n  x[n = " + index + "]\n}\n";
  };
  std::string around, away = "    aa = aa + 1\n    bb = max(bb, cc)\n    cc = aa\n";
  for (char name = 'a'; name < 't'; ++name)
    around += fmt::format("    {0}{0} = min({1}{1}, max({2}{2}, {3}{3}))\n", name, char(name + 1),
                          char('a' + (name * 7) % 20), char('a' + (name * 11) % 20));
  Built stays(loop(around, "min(aa, size(n) - 1)"), BuildOptions());
  EXPECT_TRUE(asked(stays).has_value()) << stays.errors();
  for (const char *each : {"aa", "bb", "cc"}) {
    Built runs(loop(away, std::string("max(0, ") + each + ")"), BuildOptions());
    EXPECT_FALSE(asked(runs).has_value()) << each;
  }
}
