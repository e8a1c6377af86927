// Evaluates expressions of numbers, switches and functions at build time.
#include "frontend/configure/Static.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace weft {
namespace {

using namespace ast;

std::optional<double> unary(std::string_view name, double x) {
  if (name == "exp")
    return std::exp(x);
  if (name == "log")
    return std::log(x);
  if (name == "sqrt")
    return std::sqrt(x);
  if (name == "rsqrt")
    return 1 / std::sqrt(x);
  if (name == "sin")
    return std::sin(x);
  if (name == "cos")
    return std::cos(x);
  if (name == "tanh")
    return std::tanh(x);
  if (name == "erf")
    return std::erf(x);
  return std::nullopt;
}

/// Whole numbers stay whole under `+ - * %` unless they overflow.
std::optional<StaticNumber> whole(BinaryOp op, int64_t a, int64_t b) {
  int64_t r;
  if (op == BinaryOp::add && !__builtin_add_overflow(a, b, &r))
    return StaticNumber::of(r);
  if (op == BinaryOp::subtract && !__builtin_sub_overflow(a, b, &r))
    return StaticNumber::of(r);
  if (op == BinaryOp::multiply && !__builtin_mul_overflow(a, b, &r))
    return StaticNumber::of(r);
  if (op == BinaryOp::remainder && b > 0) {
    r = a % b;
    return StaticNumber::of(r < 0 ? r + b : r);
  }
  return std::nullopt;
}

std::optional<Static> arithmetic(BinaryOp op, StaticNumber a, StaticNumber b) {
  if (a.whole && b.whole)
    if (auto r = whole(op, a.integer, b.integer))
      return *r;
  double x = a.value, y = b.value;
  switch (op) {
  case BinaryOp::add:
    return StaticNumber::of(x + y);
  case BinaryOp::subtract:
    return StaticNumber::of(x - y);
  case BinaryOp::multiply:
    return StaticNumber::of(x * y);
  case BinaryOp::divide:
    return StaticNumber::of(x / y);
  case BinaryOp::remainder:
    return StaticNumber::of(x - y * std::floor(x / y));
  case BinaryOp::power:
    return StaticNumber::of(std::pow(x, y));
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
  case BinaryOp::notEqual:
    return x != y;
  case BinaryOp::logicalAnd:
  case BinaryOp::logicalOr:
    return std::nullopt;
  }
  return std::nullopt;
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
    auto x = number(*call.args[0]);
    if (!x)
      return std::nullopt;
    if (call.args.size() == 2 && (name == "max" || name == "min"))
      if (auto y = number(*call.args[1]))
        return (name == "max") == (x->value > y->value) ? *x : *y;
    if (call.args.size() != 1)
      return std::nullopt;
    if (name == "floor" && std::abs(x->value) < 0x1p62)
      return x->whole ? *x : StaticNumber::of(static_cast<int64_t>(std::floor(x->value)));
    auto r = unary(name, x->value);
    return r ? std::optional<Static>(StaticNumber::of(*r)) : std::nullopt;
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
  auto &callee = std::get<Callee>(value);
  return callee.function ? callee.function->name.text : callee.primitive;
}

} // namespace weft
