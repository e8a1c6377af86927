// Expressions as program text, for suggestions that can be pasted.
#pragma once

#include "frontend/syntax/Ast.h"

#include <string>

namespace weft {

/// The expression in one line, with the parentheses it needs; `...` where it is long.
std::string quote(const ast::Expr &expr);
/// The same where something in brackets or `^` follows.
std::string quotePrimary(const ast::Expr &expr);
/// `[model, (head, dh)]` of a call, or nothing where it has no brackets.
std::string quoteSlots(const ast::Call &call);
/// A type with one more dimension, or with another element.
std::string quote(const ast::Type &type, const std::string &extraDim,
                  const std::string &element = "");
} // namespace weft
