// Evaluates `model / head`, `(height - kh) / stride + 1`: exactly, with errors in the words of the
// equation.
#include "frontend/configure/SizeEquation.h"

#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr const char *notASize = "a size is made of dimensions, whole numbers and `+ - * /`";

struct Evaluator {
  const std::function<std::optional<KnownSize>(const ast::Name &)> &lookup;
  const SizeReport &report;

  /// "`model` (10)", or just "3".
  std::string operand(const ast::Expr &expr, int64_t value) const {
    if (expr.is<ast::Number>())
      return fmt::format("{}", value);
    return fmt::format("`{}` ({})", quote(expr), value);
  }

  static std::string multiples(int64_t a, int64_t b) {
    if (b <= 0)
      return "what stands below must be at least 1";
    if (a < b)
      return fmt::format("the smallest multiple is {}", b);
    int64_t below = a - a % b, above = 0;
    if (__builtin_add_overflow(below, b, &above))
      return fmt::format("the nearest multiple is {}", below);
    return fmt::format("the nearest multiples are {} and {}", below, above);
  }

  std::optional<KnownSize> evaluate(const ast::Expr &expr) {
    if (auto *number = expr.as<ast::Number>(); number && number->isInteger)
      return KnownSize::of(number->integer);
    if (auto *variable = expr.as<ast::Variable>())
      return lookup(variable->name);
    auto *binary = expr.as<ast::Binary>();
    if (!binary) {
      report(Code::E0610, expr.span, notASize, "");
      return std::nullopt;
    }
    auto a = evaluate(*binary->lhs), b = evaluate(*binary->rhs);
    if (!a || !b)
      return std::nullopt;
    return a->number && b->number ? numbers(expr, *binary, *a->number, *b->number)
                                  : polynomials(expr, *binary, a->polynomial, b->polynomial);
  }

  std::optional<KnownSize> numbers(const ast::Expr &expr, const ast::Binary &binary, int64_t a,
                                   int64_t b) {
    int64_t r = 0;
    bool overflow = false;
    switch (binary.op) {
    case ast::BinaryOp::add:
      overflow = __builtin_add_overflow(a, b, &r);
      break;
    case ast::BinaryOp::subtract:
      overflow = __builtin_sub_overflow(a, b, &r);
      break;
    case ast::BinaryOp::multiply:
      overflow = __builtin_mul_overflow(a, b, &r);
      break;
    case ast::BinaryOp::divide:
      if (b == -1) { // of which the remainder may overflow too
        overflow = __builtin_sub_overflow(0, a, &r);
        break;
      }
      if (b == 0 || a % b != 0) {
        report(Code::E0604, expr.span,
               fmt::format("{} is not a multiple of {}", operand(*binary.lhs, a),
                           operand(*binary.rhs, b)),
               multiples(a, b));
        return std::nullopt;
      }
      r = a / b;
      break;
    default:
      report(Code::E0610, binary.opSpan, notASize, "");
      return std::nullopt;
    }
    if (overflow) {
      report(Code::E0603, expr.span,
             fmt::format("this size is too large, of {} and {}", operand(*binary.lhs, a),
                         operand(*binary.rhs, b)),
             fmt::format("the largest size is {}", maxDimension));
      return std::nullopt;
    }
    return KnownSize::of(r);
  }

  std::optional<KnownSize> polynomials(const ast::Expr &expr, const ast::Binary &binary,
                                       const Size &a, const Size &b) {
    switch (binary.op) {
    case ast::BinaryOp::add:
      return KnownSize{std::nullopt, a + b};
    case ast::BinaryOp::subtract:
      return KnownSize{std::nullopt, a - b};
    case ast::BinaryOp::multiply:
      return KnownSize{std::nullopt, a * b};
    case ast::BinaryOp::divide:
      return KnownSize{std::nullopt, a / b};
    default:
      report(Code::E0610, binary.opSpan, notASize, "");
      return std::nullopt;
    }
  }
};

} // namespace

std::optional<KnownSize>
evaluateSize(const ast::Expr &equation,
             const std::function<std::optional<KnownSize>(const ast::Name &)> &lookup,
             const SizeReport &report) {
  auto size = Evaluator{lookup, report}.evaluate(equation);
  if (size && !size->number)
    size->number = size->polynomial.constant(); // `seq - seq + 1`
  return size;
}

} // namespace weft
