// How large a program may be. Passes take time with the square of a block's length, and recurse
// along chains of operations: codegen/LargeStack.cpp gives them room for these.
#pragma once

#include "frontend/Ast.h"

namespace weft {

/// Operators, calls and picks of an entry, in what it calls too.
inline constexpr size_t mostOperations = 25000;

inline bool isOperation(const ast::Expr &expr) {
  return expr.is<ast::Binary>() || expr.is<ast::Unary>() || expr.is<ast::Call>() ||
         expr.is<ast::Index>();
}

} // namespace weft
