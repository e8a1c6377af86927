// The operators: how each is written, and how tightly it binds. The parser and the unparser read
// the same table.
#pragma once

#include "frontend/syntax/Ast.h"

namespace weft::ast {

/// or < and < not < comparisons < + - < * / % < unary - < ^ < calls, picks, names
enum class Precedence {
  logicalOr = 1,
  logicalAnd,
  logicalNot,
  comparison,
  sum,
  product,
  sign,
  power,
  primary
};

/// How `a op b op c` groups.
enum class Grouping { left, right, never };

struct Operator {
  BinaryOp op;
  std::string_view spelling;
  Precedence precedence;
  Grouping grouping = Grouping::left;
};

const Operator &operatorOf(BinaryOp op);
/// The operator that is written so, or null.
const Operator *operatorOf(std::string_view spelling);

inline Precedence precedenceOf(UnaryOp op) {
  return op == UnaryOp::negate ? Precedence::sign : Precedence::logicalNot;
}
inline Precedence tighter(Precedence than) {
  return static_cast<Precedence>(static_cast<int>(than) + 1);
}

} // namespace weft::ast
