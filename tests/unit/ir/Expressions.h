// Expressions of sizes, positions and numbers: as intervals, and computed as programs compute them.
#pragma once

#include "ir/size/Intervals.h"

#include <random>

namespace weft::test {

/// By the name of a dimension: its size, or one position along it.
using Sizes = std::map<std::string, int64_t>;
std::string shown(const Sizes &sizes);

/// How floats come about: every operation rounds; a product and what is added to it do together;
/// all are kept as doubles, as in tables.
enum class Rounding { each, fused, none };

struct Where {
  const Sizes &sizes, &positions;
  Rounding rounding;
};

struct Number {
  double value;
  /// Of a product that may be rounded with what is added to it: exactly.
  std::optional<double> exact = {};
};

struct Term {
  std::string text;
  model::Kind kind;
  std::set<std::string> indexed; ///< dimensions
  std::function<model::Spans(model::Intervals &)> spans;
  std::function<Number(const Where &)> value;
  bool hasReals = kind == model::Kind::real;

  /// Positions that matter at these sizes: all of small ones, the ends and the middle of large
  /// ones.
  std::vector<Sizes> positions(const Sizes &sizes) const;
};

/// Sizes of `n`, `m`, `s` (at most `n`) and `e` (which may be 0): small, and at the edges of floats
/// and ints.
const std::vector<Sizes> &smallAndLarge();
const std::vector<Sizes> &fewSizes();

enum class Operation { add, subtract, multiply, divide, remainder, larger, smaller, choose };
const std::vector<Operation> &operations();

std::vector<Term> leaves();
std::vector<Term> fewLeaves();
Term leafOf(const std::string &text);
Term realOf(double value);
/// Nothing where the operation is not of both.
std::optional<Term> combined(Operation operation, const Term &a, const Term &b);
/// A whole number as a float, or the floor of a float.
Term turned(const Term &a);
Term randomTerm(std::mt19937 &random, int depth);

} // namespace weft::test
