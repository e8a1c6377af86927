// How large a program may be. Some passes take time with the square of a block's length (seconds
// for these), and recurse along chains of operations: codegen/host/LargeStack.cpp gives them room.
#pragma once

#include "frontend/syntax/Ast.h"

namespace weft {

/// Operators, calls and picks of an entry, in what it calls too.
inline constexpr size_t mostOperations = 25000;

inline bool isOperation(const ast::Expr &expr) {
  return expr.is<ast::Binary>() || expr.is<ast::Unary>() || expr.is<ast::Call>() ||
         expr.is<ast::Index>();
}

} // namespace weft
