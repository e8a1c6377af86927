// The algebra of sizes: normal form, text, evaluation, overflow.
#include "ir/size/Size.h"

#include <gtest/gtest.h>

using weft::Size;

namespace {

Size read(std::string_view text) {
  return Size::parse(text).value();
}

/// Text of what `text` reads as.
std::string normal(std::string_view text) {
  return read(text).str();
}

std::optional<int64_t> valueAt(std::string_view text,
                               const std::map<std::string, int64_t> &values) {
  return read(text).evaluate([&](const std::string &name) -> std::optional<int64_t> {
    auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(Size, NormalFormIsOneTextPerSize) {
  EXPECT_EQ(normal("1 + seq*batch*768"), "batch * seq * 768 + 1");
  EXPECT_EQ(normal("seq - 3"), "seq - 3");
  EXPECT_EQ(normal("3 - seq"), "3 - seq");
  EXPECT_EQ(normal("-seq"), "-seq");
  EXPECT_EQ(normal("-seq - 2"), "-seq - 2");
  EXPECT_EQ(normal("(a + b) * (a - b)"), "a * a - b * b");
  EXPECT_EQ(normal("a - a"), "0");
  EXPECT_EQ(normal("2 * 3"), "6");
  EXPECT_EQ(normal("1 / ph"), "1 / ph");
  EXPECT_EQ(normal("height / ph * ph"), "height");
  EXPECT_EQ(normal("(height - kh) / stride + 1"), "height / stride + 1 - kh / stride");
  EXPECT_EQ(normal("6 * a / 4"), "a * 3 / 2");
}

TEST(Size, EqualMeansTheSamePolynomial) {
  EXPECT_EQ(read("a * (b + c)"), read("c * a + a * b"));
  EXPECT_NE(read("a"), read("b"));
  EXPECT_EQ(read("model / head * head"), Size::dim("model"));
  EXPECT_EQ(read("(a + b) / (b + a)"), Size::number(1));
}

TEST(Size, DivisionByASumIsAnAtom) {
  Size atom = read("x / (a + b)");
  EXPECT_EQ(atom.str(), "x / (a + b)");
  EXPECT_EQ(read(atom.str()), atom);
  EXPECT_EQ(normal("x / (a + b) / (a + b)"), "x / (a + b) / (a + b)");
  EXPECT_EQ(read("x / (y / (a + b))"), read("x * (a + b) / y"));
  EXPECT_EQ(atom.dims(), (std::vector<std::string>{"a", "b", "x"}));
  EXPECT_EQ(valueAt("x / (a + b)", {{"x", 12}, {"a", 1}, {"b", 3}}), 3);
  EXPECT_EQ(valueAt("x / (a + b)", {{"x", 13}, {"a", 1}, {"b", 3}}), std::nullopt);
}

TEST(Size, TextIsReadBack) {
  for (const char *text : {"0", "7", "-7", "batch * seq + 1", "a * 3 / b / 2",
                           "x / (a + b / c - 1)", "a.b$1 + _c", "9223372036854775807"}) {
    Size once = read(text);
    EXPECT_EQ(read(once.str()), once) << text;
  }
}

TEST(Size, MalformedTextIsRefused) {
  for (const char *text :
       {"", "+", "a +", "(a", "a)", "a b", "2a", "a ** b", "99999999999999999999", "a^2"})
    EXPECT_FALSE(Size::parse(text)) << text;
  EXPECT_FALSE(Size::parse(std::string(100000, '(')));
  EXPECT_TRUE(Size::parse(std::string(100001, '-') + "a"));
}

TEST(Size, EvaluatesExactlyOrNotAtAll) {
  EXPECT_EQ(valueAt("(height - kh) / stride + 1", {{"height", 7}, {"kh", 3}, {"stride", 2}}), 3);
  EXPECT_EQ(valueAt("(height - kh) / stride + 1", {{"height", 8}, {"kh", 3}, {"stride", 2}}),
            std::nullopt);
  EXPECT_EQ(valueAt("a + b", {{"a", 1}}), std::nullopt);
  EXPECT_EQ(valueAt("a / b", {{"a", 1}, {"b", 0}}), std::nullopt);
  EXPECT_EQ(valueAt("a * a", {{"a", 1ll << 31}}), 1ll << 62);
  EXPECT_EQ(valueAt("a * a", {{"a", 1ll << 32}}), std::nullopt);
}

TEST(Size, OverflowAndDivisionByZeroAreUndefinedAndStay) {
  Size big = Size::number(INT64_MAX);
  for (Size bad :
       {big + Size::number(1), big * big, Size::dim("a") * big * big, Size::number(INT64_MIN),
        Size::number(1) / Size(), Size::dim("a") / (Size::dim("b") - Size::dim("b"))}) {
    EXPECT_TRUE(bad.isUndefined());
    EXPECT_TRUE((bad * Size()).isUndefined());
    EXPECT_TRUE((bad + Size::number(1)).isUndefined());
    EXPECT_EQ(bad.constant(), std::nullopt);
    EXPECT_FALSE(bad.isNonNegative());
    EXPECT_EQ(bad.str(), "undefined");
  }
  EXPECT_FALSE((big - big).isUndefined());
}

TEST(Size, ConstantOnlyIfItNamesNothing) {
  EXPECT_EQ(read("6 / 2").constant(), 3);
  EXPECT_EQ(read("5 / 2").constant(), std::nullopt);
  EXPECT_EQ(read("a").constant(), std::nullopt);
  EXPECT_EQ(Size().constant(), 0);
}

TEST(Size, NonNegativeIsWhatTheFormShows) {
  EXPECT_TRUE(read("a * b + 1").isNonNegative());
  EXPECT_TRUE(Size().isNonNegative());
  EXPECT_FALSE(read("a - 1").isNonNegative());
  EXPECT_FALSE(read("a / b").isNonNegative());
}

TEST(Size, SubstitutesInsideAtomsToo) {
  Size result = read("x / (a + b) + a").substitute([](const std::string &name) {
    return name == "a" ? std::optional(Size::number(1)) : std::nullopt;
  });
  EXPECT_EQ(result.str(), "x / (b + 1) + 1");
  Size power = read("x / a").substitute([](const std::string &name) {
    return name == "a" ? std::optional(read("x * y")) : std::nullopt;
  });
  EXPECT_EQ(power.str(), "1 / y");
}

} // namespace
