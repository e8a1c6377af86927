// Walks over the syntax tree: every expression, every statement, every name.
#pragma once

#include "frontend/Ast.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace weft::build {

/// Calls `visit` for `expr` and every expression in it, outside in.
void walk(const ast::Expr &expr, const std::function<void(const ast::Expr &)> &visit);

/// Calls `visit` for every statement of `body`, and of the bodies in it where `enter` says so.
void walk(const ast::Body &body, const std::function<void(const ast::Stmt &)> &visit,
          const std::function<bool(const ast::Stmt &)> &enter);

/// The expressions that stand in a statement itself, not in bodies within it.
std::vector<const ast::Expr *> expressionsOf(const ast::Stmt &stmt);

/// The names that `body` binds, also in its branches and loops.
std::set<std::string> boundIn(const ast::Body &body);

/// The paths that `body` reads, without those in its loops: they belong to the loop.
std::vector<std::vector<std::string>> pathsIn(const ast::Body &body);

/// Every name that stands in `function`, whatever it means there.
std::set<std::string> namesIn(const ast::Function &function);

} // namespace weft::build
