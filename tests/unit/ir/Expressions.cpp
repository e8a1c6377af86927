// Leaves, operations and random trees of them.
#include "Expressions.h"

#include "ir/model/Arithmetic.h"

#include <cmath>
#include <stdexcept>

using namespace weft;
using namespace weft::model;
using namespace weft::test;

static float rounded(double value) {
  return static_cast<float>(value);
}

std::string weft::test::shown(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, size] : sizes)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return text;
}

const std::vector<Sizes> &weft::test::smallAndLarge() {
  static const std::vector<Sizes> all = [] {
    std::vector<Sizes> result;
    for (int64_t n = 1; n <= 4; ++n)
      for (int64_t m = 1; m <= 4; ++m)
        result.push_back({{"n", n}, {"m", m}, {"s", 1 + m % n}, {"e", (n + m) % 3}});
    const int64_t edges[] = {46341, 65536, (1 << 24) - 1, (1 << 24) + 1, 1 << 30, INT32_MAX};
    for (int64_t edge : edges) {
      result.push_back({{"n", edge}, {"m", 3}, {"s", edge - 1}, {"e", 0}});
      result.push_back({{"n", 2}, {"m", edge}, {"s", 2}, {"e", edge}});
      result.push_back({{"n", edge}, {"m", edge}, {"s", 65537 % edge}, {"e", 1}});
    }
    return result;
  }();
  return all;
}

const std::vector<Sizes> &weft::test::fewSizes() {
  static const std::vector<Sizes> all = {{{"n", 1}, {"m", 1}, {"s", 1}},
                                         {{"n", 2}, {"m", 3}, {"s", 1}},
                                         {{"n", 3}, {"m", 2}, {"s", 3}},
                                         {{"n", 46341}, {"m", 5}, {"s", 46340}},
                                         {{"n", 65536}, {"m", 2}, {"s", 65536}},
                                         {{"n", 65536}, {"m", 65535}, {"s", 1}},
                                         {{"n", (1 << 24) + 1}, {"m", 65536}, {"s", 3}},
                                         {{"n", INT32_MAX}, {"m", INT32_MAX}, {"s", INT32_MAX}}};
  return all;
}

std::vector<Sizes> Term::positions(const Sizes &sizes) const {
  std::vector<Sizes> all = {{}};
  for (const std::string &dim : indexed) {
    int64_t size = sizes.at(dim);
    std::set<int64_t> along;
    for (int64_t at : {int64_t(0), int64_t(1), int64_t(2), size / 2, size - 2, size - 1})
      if (at >= 0 && at < size)
        along.insert(at);
    std::vector<Sizes> more;
    for (const Sizes &each : all)
      for (int64_t at : along) {
        more.push_back(each);
        more.back()[dim] = at;
      }
    all = std::move(more);
  }
  return all;
}

//===-- leaves ------------------------------------------------------------------------------===//

static Term sizeOf(const std::string &dim) {
  return {"size(" + dim + ")",
          Kind::whole,
          {},
          [=](Intervals &intervals) { return intervals.whole(Size::dim(dim)); },
          [=](const Where &where) { return Number{double(wrapped(where.sizes.at(dim)))}; }};
}

static Term indexOf(const std::string &dim) {
  return {"index(" + dim + ")",
          Kind::whole,
          {dim},
          [=](Intervals &intervals) { return intervals.positions(Size::dim(dim)); },
          [=](const Where &where) { return Number{double(where.positions.at(dim))}; }};
}

static Term literal(int64_t value) {
  return {std::to_string(value),
          Kind::whole,
          {},
          [=](Intervals &intervals) { return intervals.whole(Size::number(value)); },
          [=](const Where &) { return Number{double(wrapped(value))}; }};
}

Term weft::test::realOf(double value) {
  return {std::to_string(value),
          Kind::real,
          {},
          [=](Intervals &) { return Intervals::real(value); },
          [=](const Where &) { return Number{value}; }};
}

/// A whole number of which nothing is known.
static Term anything(int64_t value) {
  return {"any(" + std::to_string(value) + ")",
          Kind::whole,
          {},
          [](Intervals &) { return Spans{everything()}; },
          [=](const Where &) { return Number{double(value)}; }};
}

std::vector<Term> weft::test::leaves() {
  std::vector<Term> all;
  for (const char *dim : {"n", "m", "s", "e"}) {
    all.push_back(sizeOf(dim));
    all.push_back(indexOf(dim));
  }
  for (int64_t value : {-65536, -3, -1, 0, 1, 2, 3, 7, 65536, 1 << 24, (1 << 24) + 1, INT32_MAX})
    all.push_back(literal(value));
  for (double value : {-1.5, -0.25, 0.0, 0.5, 1.0, 1.5, 3.0, 1.0 / 65536, 65537.0, 16777216.0})
    all.push_back(realOf(value));
  for (int64_t value : {int64_t(INT32_MIN), int64_t(-1), int64_t(INT32_MAX)})
    all.push_back(anything(value));
  return all;
}

Term weft::test::leafOf(const std::string &text) {
  for (const Term &each : leaves())
    if (each.text == text)
      return each;
  throw std::out_of_range(text);
}

std::vector<Term> weft::test::fewLeaves() {
  return {sizeOf("n"), indexOf("n"), indexOf("s"),        literal(-1),
          literal(3),  realOf(0.5),  turned(sizeOf("n")), anything(INT32_MAX)};
}

//===-- operations --------------------------------------------------------------------------===//

const std::vector<Operation> &weft::test::operations() {
  static const std::vector<Operation> all = {
      Operation::add,    Operation::subtract, Operation::multiply, Operation::divide,
      Operation::larger, Operation::smaller,  Operation::choose,   Operation::remainder};
  return all;
}

static const char *nameOf(Operation operation) {
  switch (operation) {
  case Operation::add:
    return "+";
  case Operation::subtract:
    return "-";
  case Operation::multiply:
    return "*";
  case Operation::divide:
    return "/";
  case Operation::remainder:
    return "%";
  case Operation::larger:
    return "max";
  case Operation::smaller:
    return "min";
  case Operation::choose: // by a number that nobody knows
    return "or";
  }
  return "";
}

static Number onWholes(Operation operation, double x, double y) {
  auto a = static_cast<int64_t>(x), b = static_cast<int64_t>(y);
  switch (operation) {
  case Operation::add:
    return {double(wrapped(a + b))};
  case Operation::subtract:
    return {double(wrapped(a - b))};
  case Operation::multiply:
    return {double(wrapped(a * b))};
  case Operation::divide:
    return {double(floorDivide(a, b))};
  case Operation::remainder:
    return {double(floorModulo(a, b))};
  case Operation::larger:
    return {double(std::max(a, b))};
  case Operation::smaller:
    return {double(std::min(a, b))};
  case Operation::choose:
    break;
  }
  return {};
}

static Number onReals(Operation operation, const Number &x, const Number &y, Rounding rounding) {
  double a = x.value, b = y.value, result = 0;
  if (rounding == Rounding::fused) { // a product of floats is exact in double
    a = operation == Operation::add || operation == Operation::subtract ? x.exact.value_or(a) : a;
    b = operation == Operation::add || operation == Operation::subtract ? y.exact.value_or(b) : b;
  }
  switch (operation) {
  case Operation::add:
    result = a + b;
    break;
  case Operation::subtract:
    result = a - b;
    break;
  case Operation::multiply:
    result = a * b;
    break;
  case Operation::divide:
    result = a / b;
    break;
  case Operation::larger:
    result = larger(a, b);
    break;
  case Operation::smaller:
    result = smaller(a, b);
    break;
  case Operation::remainder:
  case Operation::choose:
    break;
  }
  if (rounding == Rounding::none)
    return {result};
  Number number{rounded(result)};
  if (operation == Operation::multiply)
    number.exact = result;
  return number;
}

std::optional<Term> weft::test::combined(Operation operation, const Term &a, const Term &b) {
  if (a.kind != b.kind || (a.kind == Kind::real && operation == Operation::remainder))
    return std::nullopt;
  Kind kind = a.kind;
  Term term{"(" + a.text + " " + nameOf(operation) + " " + b.text + ")", kind, a.indexed, {}, {}};
  term.indexed.insert(b.indexed.begin(), b.indexed.end());
  term.hasReals = a.hasReals || b.hasReals;
  term.spans = [=](Intervals &intervals) {
    Spans x = a.spans(intervals), y = b.spans(intervals);
    switch (operation) {
    case Operation::add:
      return intervals.sum(x, y, kind);
    case Operation::subtract:
      return intervals.difference(x, y, kind);
    case Operation::multiply:
      return intervals.product(x, y, kind);
    case Operation::divide:
      return intervals.quotient(x, y, kind);
    case Operation::remainder:
      return intervals.rest(y);
    case Operation::larger:
      return intervals.larger(x, y, kind);
    case Operation::smaller:
      return intervals.smaller(x, y, kind);
    case Operation::choose:
      return either(x, y);
    }
    return Spans();
  };
  term.value = [=](const Where &where) {
    Number x = a.value(where), y = b.value(where);
    if (operation == Operation::choose)
      return (where.sizes.at("n") + where.sizes.at("m")) % 2 == 0 ? x : y;
    return kind == Kind::whole ? onWholes(operation, x.value, y.value)
                               : onReals(operation, x, y, where.rounding);
  };
  return term;
}

Term weft::test::turned(const Term &a) {
  if (a.kind == Kind::whole)
    return {"float(" + a.text + ")", Kind::real, a.indexed,
            [=](Intervals &intervals) { return intervals.asReal(a.spans(intervals)); },
            [=](const Where &where) {
              double value = a.value(where).value;
              return Number{where.rounding == Rounding::none ? value : rounded(value)};
            }};
  return {"floor(" + a.text + ")",
          Kind::whole,
          a.indexed,
          [=](Intervals &intervals) { return intervals.floor(a.spans(intervals)); },
          [=](const Where &where) { return Number{double(floorOf(a.value(where).value))}; },
          true};
}

Term weft::test::randomTerm(std::mt19937 &random, int depth) {
  static const std::vector<Term> all = leaves();
  auto pick = [&](size_t count) { return random() % count; };
  if (depth == 0)
    return all[pick(all.size())];
  if (pick(6) == 0)
    return turned(randomTerm(random, depth - 1));
  Term a = randomTerm(random, depth - 1), b = randomTerm(random, pick(depth));
  if (a.kind != b.kind)
    (pick(2) ? a : b) = turned(pick(2) ? a : b);
  if (a.kind != b.kind)
    a = turned(a);
  if (auto term = combined(operations()[pick(operations().size())], a, b))
    return *term;
  return a;
}
