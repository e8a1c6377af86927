// Tensors on the command line, and as text for people.
#include "runtime/program/run/Literal.h"
#include "runtime/tensors/TensorText.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace weft::runtime;

namespace {

Literal read(const std::string &given) {
  Result<Literal> literal = readLiteral(given);
  EXPECT_TRUE(literal) << (literal ? "" : literal.error().message);
  return literal ? *literal : Literal();
}

std::string problem(const std::string &given) {
  Result<Literal> literal = readLiteral(given);
  return literal ? "none" : literal.error().message;
}

std::string misfit(const std::string &given, Element element) {
  Argument argument;
  argument.element = element;
  Status status = fits(read(given), argument);
  return status ? "none" : status.error().message;
}

TEST(Literal, ListsAreDimensions) {
  Literal q = read("q=[[1, 0.5], [-2e3, 0], [3, 4]]");
  EXPECT_EQ(q.name, "q");
  EXPECT_EQ(q.shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(q.values, (std::vector<double>{1, 0.5, -2000, 0, 3, 4}));
  EXPECT_EQ(q.kind, Literal::Kind::Numbers);
  Literal step = read("step=7");
  EXPECT_TRUE(step.shape.empty());
  EXPECT_EQ(step.values, std::vector<double>{7});
  EXPECT_EQ(step.kind, Literal::Kind::Wholes);
  EXPECT_EQ(read("m=[true, false]").kind, Literal::Kind::Switches);
  Literal far = read(R"(x=["-inf", 1, "nan"])");
  EXPECT_EQ(far.values[0], -HUGE_VAL);
  EXPECT_TRUE(std::isnan(far.values[2]));
}

TEST(Literal, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(problem("q=[[1, 2], [3]]"), "--input q: element [1] has length 1, others beside it 2");
  EXPECT_EQ(problem("q=[[1, 2], 3]"), "--input q: element [1] is no list, as others beside it are");
  EXPECT_EQ(problem("q=[1, [2]]"), "--input q: element [1] is a list, others beside it are not");
  EXPECT_EQ(problem("q=[]"), "--input q: it is an empty list");
  EXPECT_EQ(problem("q=[[1], []]"), "--input q: element [1] is an empty list");
  EXPECT_EQ(problem("q=[1, \"x\"]"), "--input q: element [1] is no number");
  EXPECT_EQ(problem("q=[1, true]"),
            "--input q: element [1] is true or false, others beside it are numbers");
  EXPECT_NE(problem("q=[1, 2").find("not JSON"), std::string::npos);
  EXPECT_NE(problem("q=" + std::string(100'000, '[')).find("--input q: it is nested more than 200"),
            std::string::npos);
  EXPECT_NE(problem("[1]").find("expected NAME=VALUE"), std::string::npos);
  EXPECT_FALSE(readLiterals({"q=1", "q=2"}));
}

TEST(Literal, ValuesFitTheirElement) {
  EXPECT_EQ(misfit("x=[1, 2.5]", Element::Float), "none");
  EXPECT_EQ(misfit("x=[1, 0]", Element::Bool), "none");
  EXPECT_EQ(misfit("x=[true]", Element::Bool), "none");
  EXPECT_EQ(misfit("x=[1, 2]", Element::Int), "none");
  EXPECT_EQ(misfit("x=[1, 2.5]", Element::Int), "--input x: 2.5 at [1] is not a whole number");
  EXPECT_EQ(misfit("x=[1, 2]", Element::Bool), "--input x: 2 at [1] is neither true nor false");
  EXPECT_EQ(misfit("x=3000000000", Element::Int),
            "--input x: 3000000000 at [] is not from -2147483648 to 2147483647, as int32 is");
  EXPECT_EQ(misfit("x=1e300", Element::Float),
            "--input x: 1e+300 at [] is more than float32 can hold");
  EXPECT_EQ(misfit("x=[true]", Element::Float),
            "--input x: true at [0] stands where a number is wanted");
  EXPECT_EQ(misfit("x=[false]", Element::Int),
            "--input x: false at [0] stands where a whole number is wanted");
  EXPECT_EQ(misfit("x=[-2147483648, 2147483647]", Element::Int), "none");
  EXPECT_EQ(misfit("x=[0, 2147483648]", Element::Int),
            "--input x: 2147483648 at [1] is not from -2147483648 to 2147483647, as int32 is");
  EXPECT_EQ(misfit("x=-2147483649", Element::Int),
            "--input x: -2147483649 at [] is not from -2147483648 to 2147483647, as int32 is");
  EXPECT_EQ(misfit("x=\"-inf\"", Element::Int),
            "--input x: -inf at [] is not from -2147483648 to 2147483647, as int32 is");
  EXPECT_EQ(misfit("x=\"nan\"", Element::Int), "--input x: nan at [] is not a whole number");
}

TEST(TensorText, RowsAndColumnsByName) {
  float values[] = {0.5f, -0.25f, 1, 2, -0.00001f, 3};
  EXPECT_EQ(tensorText({"out", {"query", "width"}, {3, 2}, Element::Float, values}),
            "out [query 3, width 2]\n"
            "   0.5000  -0.2500\n"
            "   1.0000   2.0000\n"
            "   0.0000   3.0000\n");
  float loss = 2.7899516f;
  EXPECT_EQ(tensorText({"loss", {}, {}, Element::Float, &loss}), "loss  2.78995\n");
  int32_t ids[] = {3, 14, 159};
  EXPECT_EQ(tensorText({"ids", {"seq"}, {3}, Element::Int, ids}), "ids [seq 3]\n    3   14  159\n");
  int32_t count = -294967296; // every digit of a whole number
  EXPECT_EQ(tensorText({"count", {}, {}, Element::Int, &count}), "count  -294967296\n");
  char mask[] = {1, 0};
  EXPECT_EQ(tensorText({"keep", {"key"}, {2}, Element::Bool, mask}),
            "keep [key 2]\n   true  false\n");
  float odd[] = {std::nanf(""), -HUGE_VALF, 1e-9f};
  EXPECT_EQ(tensorText({"odd", {"n"}, {3}, Element::Float, odd}),
            "odd [n 3]\n        nan       -inf  1.000e-09\n");
}

TEST(TensorText, MatricesOfMoreDimensionsAreNamed) {
  float values[] = {1, 2, 3, 4};
  EXPECT_EQ(
      tensorText({"w", {"batch", "head", "query", "key"}, {1, 2, 1, 2}, Element::Float, values}),
      "w [batch 1, head 2, query 1, key 2]\n"
      "batch 0, head 0\n  1  2\n"
      "batch 0, head 1\n  3  4\n");
}

TEST(TensorText, LargeOnesAreShortened) {
  std::vector<float> values(40 * 30);
  std::iota(values.begin(), values.end(), 0.0f);
  std::string shown = tensorText({"t", {"a", "b"}, {40, 30}, Element::Float, values.data()});
  EXPECT_LT(shown.size(), 1000u);
  EXPECT_NE(shown.find("     0     1     2     3     4  …    26    27    28    29"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("\n  …\n"), std::string::npos);
  EXPECT_NE(shown.find("1199\n"), std::string::npos);
}

} // namespace
