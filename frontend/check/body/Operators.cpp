// Operators: elements that may meet, and rule 3, by which `+` and `-` invent no dimension.
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

using Op = ast::BinaryOp;

static bool isComparison(Op op) {
  return op >= Op::less && op <= Op::notEqual;
}
static bool joinsConditions(Op op) {
  return op >= Op::logicalAnd;
}

static Element resultElement(Op op, Element a, Element b) {
  if (isComparison(op) || joinsConditions(op))
    return Element::boolean();
  if (op == Op::divide || op == Op::power || a.isReal() || b.isReal())
    return Element::real();
  return Element::integer();
}

Value BodyChecker::binary(const ast::Binary &binary, Place place) {
  Value a = expr(*binary.lhs, place), b = expr(*binary.rhs, place);
  if (!a.known() || !b.known())
    return Value::unknown();
  if (!checkElements(binary, a, b))
    return Value::unknown();
  checkLiteral(binary.op, *binary.lhs, a, *binary.rhs, b);
  checkLiteral(binary.op, *binary.rhs, b, *binary.lhs, a);
  Value out;
  out.type.element = resultElement(binary.op, a.type.element, b.type.element);
  bool adds = binary.op == Op::add || binary.op == Op::subtract;
  if (adds && out.type.element.isReal() && !checkAddition(binary, a.type, b.type))
    return Value::unknown();
  out.type.dims = unite(a.type.dims, b.type.dims);
  out.ranges = combine(binary.op, a, b, module.bounds());
  return out;
}

bool BodyChecker::checkElements(const ast::Binary &binary, const Value &a, const Value &b) {
  bool left = a.type.element.isBool(), right = b.type.element.isBool();
  bool equality = binary.op == Op::equal || binary.op == Op::notEqual;
  if (joinsConditions(binary.op) ? left && right : (!left && !right) || (equality && left && right))
    return true;
  auto &problem =
      error(Code::E0313, binary.opSpan,
            joinsConditions(binary.op) ? fmt::format("`{}` joins conditions", spelling(binary.op))
            : equality ? fmt::format("`{}` compares a condition with a number", spelling(binary.op))
                       : fmt::format("`{}` needs numbers", spelling(binary.op)))
          .label(binary.lhs->span, show(a.type))
          .label(binary.rhs->span, show(b.type));
  const ast::Expr &wrong = joinsConditions(binary.op) == left ? *binary.rhs : *binary.lhs;
  std::string text = quote(wrong), better;
  if (joinsConditions(binary.op)) {
    better = fmt::format("({} != 0)", text);
    problem.suggest(fmt::format("compare it: `{} != 0`", text));
  } else {
    better = fmt::format("where({}, 1, 0)", text);
    problem.suggest(fmt::format("`{}` counts a condition", better));
  }
  if (text != "...")
    problem.replace(wrong.span, better);
  return false;
}

/// `part == 3` where `segment` has two positions is never true.
void BodyChecker::checkLiteral(Op op, const ast::Expr &indexed, const Value &index,
                               const ast::Expr &written, const Value &literal) {
  if (!isComparison(op) || !index.type.element.isIndex() || !literal.type.dims.empty() ||
      literal.type.element.isIndex())
    return;
  const Dim *dim = index.type.element.dim;
  std::optional<Size> only = exact(literal.ranges);
  std::optional<int64_t> size = dim->size.constant(),
                         value = only ? only->constant() : std::nullopt;
  if (!size || !value)
    return;
  // `index(d) < n` with n the size is true everywhere, and harmless.
  bool orders = op != Op::equal && op != Op::notEqual;
  if (*value >= 0 && (*value < *size || (orders && *value <= *size)))
    return;
  error(Code::E0310, written.span, fmt::format("`{}` has no position {}", dim->name, *value))
      .label(indexed.span, fmt::format("positions 0 to {}", *size - 1))
      .suggest(fmt::format("the last one is {}", *size - 1))
      .replace(written.span, std::to_string(*size - 1));
}

bool BodyChecker::checkAddition(const ast::Binary &binary, const Type &a, const Type &b) {
  Dims left = beyond(a.dims, b.dims), right = beyond(b.dims, a.dims);
  if (left.empty() || right.empty())
    return true;
  auto &problem = error(Code::E0302, binary.opSpan,
                        fmt::format("`{}` would invent a dimension", spelling(binary.op)))
                      .label(binary.lhs->span, show(a))
                      .label(binary.rhs->span, show(b))
                      .note(fmt::format("only the left has `{}`, only the right has `{}`",
                                        name(left.front()), name(right.front())));
  std::string rhs = quotePrimary(*binary.rhs);
  bool canRename = left.size() == 1 && right.size() == 1 && !right.front()->isRest() &&
                   !left.front()->isRest() && left.front()->size == right.front()->size;
  auto hasRest = [](const Dims &dims) {
    return std::any_of(dims.begin(), dims.end(), [](const Dim *dim) { return dim->isRest(); });
  };
  std::string help;
  if (canRename) {
    std::string renamed = fmt::format("{}[{} as {}]", rhs, name(right.front()), name(left.front()));
    help = fmt::format("if they are the same axis, rename one: `{}`", renamed);
    if (rhs != "...")
      problem.replace(binary.rhs->span, renamed);
  }
  // The side that is widened must lack only dimensions that can be named.
  bool widenLeft = !hasRest(right);
  if (widenLeft || !hasRest(left)) {
    const ast::Expr &narrow = widenLeft ? *binary.lhs : *binary.rhs;
    std::string expanded =
        fmt::format("expand[{}]({})", quoteGroup(widenLeft ? right : left), quote(narrow));
    help += fmt::format("{}if every pair is meant: `{}`", help.empty() ? "" : "; ", expanded);
    if (!canRename && quote(narrow) != "...")
      problem.replace(narrow.span, expanded);
  }
  if (help.empty())
    help = "one side must have every dimension of the other: name those that `..` stands for";
  problem.suggest(help);
  return false;
}

} // namespace weft::sema
