// Evaluates expressions of numbers, switches and functions at build time, as a program computes
// them: floats in 64 bits, whole numbers exactly.
#include "frontend/configure/Static.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/FloatFunctions.h"

#include <fmt/format.h>

#include <limits>

namespace weft {
namespace {

using namespace ast;

bool orders(BinaryOp op, auto x, auto y) {
  switch (op) {
  case BinaryOp::less:
    return x < y;
  case BinaryOp::lessEqual:
    return x <= y;
  case BinaryOp::greater:
    return x > y;
  case BinaryOp::greaterEqual:
    return x >= y;
  case BinaryOp::equal:
    return x == y;
  default:
    return x != y;
  }
}

/// Nothing where `+ - *` leave 64 bits: there is no number that could stand for it.
std::optional<Static> wholes(BinaryOp op, int64_t a, int64_t b) {
  int64_t r = 0;
  if (op == BinaryOp::remainder)
    return StaticNumber::of(model::floorModulo(a, b));
  bool lost = op == BinaryOp::add        ? __builtin_add_overflow(a, b, &r)
              : op == BinaryOp::subtract ? __builtin_sub_overflow(a, b, &r)
                                         : __builtin_mul_overflow(a, b, &r);
  return lost ? std::nullopt : std::optional<Static>(StaticNumber::of(r));
}

std::optional<Static> arithmetic(BinaryOp op, StaticNumber a, StaticNumber b) {
  bool whole = a.whole && b.whole;
  double x = a.value, y = b.value;
  switch (op) {
  case BinaryOp::add:
    return whole ? wholes(op, a.integer, b.integer) : StaticNumber::of(x + y);
  case BinaryOp::subtract:
    return whole ? wholes(op, a.integer, b.integer) : StaticNumber::of(x - y);
  case BinaryOp::multiply:
    return whole ? wholes(op, a.integer, b.integer) : StaticNumber::of(x * y);
  case BinaryOp::remainder:
    return whole ? wholes(op, a.integer, b.integer) : StaticNumber::of(model::floorModulo(x, y));
  case BinaryOp::divide:
    return StaticNumber::of(x / y);
  case BinaryOp::power:
    return StaticNumber::of(model::power(x, y));
  case BinaryOp::logicalAnd:
  case BinaryOp::logicalOr:
    return std::nullopt;
  default:
    return whole ? orders(op, a.integer, b.integer) : orders(op, x, y);
  }
}

struct Evaluator {
  const StaticScope &scope;

  std::optional<StaticNumber> number(const Expr &expr) {
    auto value = evaluate(expr);
    if (auto *n = value ? std::get_if<StaticNumber>(&*value) : nullptr)
      return *n;
    return std::nullopt;
  }
  std::optional<bool> truth(const Expr &expr) {
    auto value = evaluate(expr);
    if (auto *b = value ? std::get_if<bool>(&*value) : nullptr)
      return *b;
    return std::nullopt;
  }

  std::optional<Static> operator()(const ast::Number &n) {
    return n.isInteger ? StaticNumber::of(n.integer) : StaticNumber::of(n.value);
  }
  std::optional<Static> operator()(const ast::Bool &b) { return b.value; }
  std::optional<Static> operator()(const Variable &v) {
    if (v.name.text == "inf")
      return StaticNumber::of(std::numeric_limits<double>::infinity());
    return scope.value ? scope.value(v.name) : std::nullopt;
  }
  std::optional<Static> operator()(const Path &) { return std::nullopt; }
  std::optional<Static> operator()(const Index &) { return std::nullopt; }
  std::optional<Static> operator()(const Unary &u) {
    if (u.op == UnaryOp::logicalNot) {
      auto b = truth(*u.operand);
      return b ? std::optional<Static>(!*b) : std::nullopt;
    }
    auto n = number(*u.operand);
    if (!n)
      return std::nullopt;
    if (n->whole && n->integer != std::numeric_limits<int64_t>::min())
      return StaticNumber::of(-n->integer);
    return StaticNumber::of(-n->value);
  }
  std::optional<Static> operator()(const Binary &b) {
    if (b.op == BinaryOp::logicalAnd || b.op == BinaryOp::logicalOr) {
      auto x = truth(*b.lhs), y = truth(*b.rhs);
      if (!x || !y)
        return std::nullopt;
      return b.op == BinaryOp::logicalAnd ? *x && *y : *x || *y;
    }
    auto x = number(*b.lhs), y = number(*b.rhs);
    return x && y ? arithmetic(b.op, *x, *y) : std::nullopt;
  }
  std::optional<Static> operator()(const Call &call) {
    std::string_view name = call.callee.text;
    if (call.label || !call.dims.empty() || !call.named.empty() || call.args.empty())
      return std::nullopt;
    if (name == "size") {
      auto *dim = call.args[0]->as<Variable>();
      auto size = dim && scope.size ? scope.size(dim->name) : std::nullopt;
      return size ? std::optional<Static>(StaticNumber::of(*size)) : std::nullopt;
    }
    if (call.args.size() == 1 && name == "floor")
      return floor(*call.args[0]);
    auto x = number(*call.args[0]);
    if (!x)
      return std::nullopt;
    if (call.args.size() == 2 && (name == "max" || name == "min"))
      if (auto y = number(*call.args[1]))
        return extreme(*x, *y, name == "max");
    if (call.args.size() != 1)
      return std::nullopt;
    const model::FloatFunction *function = model::findFloatFunction(name);
    return function ? std::optional<Static>(StaticNumber::of(function->evaluate(x->value)))
                    : std::nullopt;
  }

  /// The quotient of whole numbers is exact.
  std::optional<Static> floor(const Expr &expr) {
    auto *division = expr.as<Binary>();
    if (division && division->op == BinaryOp::divide) {
      auto a = number(*division->lhs), b = number(*division->rhs);
      if (a && b && a->whole && b->whole)
        return StaticNumber::of(model::floorDivide(a->integer, b->integer));
    }
    auto x = number(expr);
    if (!x)
      return std::nullopt;
    return x->whole ? *x : StaticNumber::of(model::floorOf(x->value));
  }

  static StaticNumber extreme(StaticNumber a, StaticNumber b, bool largest) {
    if (a.whole && b.whole)
      return (a.integer > b.integer) == largest ? a : b;
    return StaticNumber::of(largest ? model::larger(a.value, b.value)
                                    : model::smaller(a.value, b.value));
  }

  std::optional<Static> evaluate(const Expr &expr) { return std::visit(*this, expr.node); }
};

} // namespace

std::optional<Static> evaluateStatic(const ast::Expr &expr, const StaticScope &scope) {
  return Evaluator{scope}.evaluate(expr);
}

std::string show(const Static &value) {
  if (auto *b = std::get_if<bool>(&value))
    return *b ? "true" : "false";
  if (auto *n = std::get_if<StaticNumber>(&value))
    return n->whole ? fmt::format("{}", n->integer) : fmt::format("{}", n->value);
  return std::get<Callee>(value)->name;
}

} // namespace weft
