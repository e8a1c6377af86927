// The tree back as text: what quotes of a program and dumps of a tree are made of.
#pragma once

#include "frontend/syntax/Ast.h"

#include <string>

namespace weft::ast {

enum class Parentheses {
  needed, ///< those without which it would be another tree
  all,    ///< around every operation: how it was read
};

/// In one line.
std::string unparse(const Expr &expr, Parentheses parentheses);
/// The same, in parentheses where what follows needs a primary: `[…]` or `^`.
std::string unparsePrimary(const Expr &expr);
/// `d` or `(head, dh)`.
std::string unparse(const Group &group);
/// `[model, (head, dh)]`.
std::string unparse(const std::vector<Group> &groups);
/// `attn.q.weight`.
std::string unparse(const Path &path);
/// `.., batch, seq?`: what stands in the brackets of a type.
std::string unparseDims(const Type &type);
std::string unparse(const Pick &pick, Parentheses parentheses);

/// "a, b" of what `show` makes of the items.
template <class Range, class Show> std::string listed(const Range &items, Show show) {
  std::string text;
  for (const auto &item : items)
    text += (text.empty() ? "" : ", ") + show(item);
  return text;
}

} // namespace weft::ast
