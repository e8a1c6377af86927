// The table of the operators.
#include "frontend/syntax/Operators.h"

#include <algorithm>
#include <iterator>

namespace weft::ast {

using Op = BinaryOp;
using enum Precedence;

static constexpr Operator operators[] = {
    // in the order of BinaryOp
    {Op::add, "+", sum},
    {Op::subtract, "-", sum},
    {Op::multiply, "*", product},
    {Op::divide, "/", product},
    {Op::remainder, "%", product},
    {Op::power, "^", power, Grouping::right},
    {Op::less, "<", comparison, Grouping::never},
    {Op::lessEqual, "<=", comparison, Grouping::never},
    {Op::greater, ">", comparison, Grouping::never},
    {Op::greaterEqual, ">=", comparison, Grouping::never},
    {Op::equal, "==", comparison, Grouping::never},
    {Op::notEqual, "!=", comparison, Grouping::never},
    {Op::logicalAnd, "and", logicalAnd},
    {Op::logicalOr, "or", logicalOr},
};
static_assert(std::ranges::is_sorted(operators, {}, &Operator::op));

const Operator &operatorOf(BinaryOp op) {
  return operators[static_cast<size_t>(op)];
}

const Operator *operatorOf(std::string_view spelling) {
  const Operator *found = std::ranges::find(operators, spelling, &Operator::spelling);
  return found == std::end(operators) ? nullptr : found;
}

std::string_view spelling(BinaryOp op) {
  return operatorOf(op).spelling;
}

std::string_view spelling(UnaryOp op) {
  return op == UnaryOp::negate ? "-" : "not";
}

} // namespace weft::ast
