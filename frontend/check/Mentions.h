// The names that a function's text mentions, by the place they stand in.
#pragma once

#include "frontend/Ast.h"

#include <vector>

namespace weft::sema {

struct Mentions {
  std::vector<const ast::Name *> dims;      ///< where only a dimension may stand
  std::vector<const ast::Name *> variables; ///< values, dimensions in `size(d)`, function arguments
  std::vector<const ast::Name *> callees;
  std::vector<const ast::Name *> bound; ///< what arguments, `param`, `state` and `=` name
  std::vector<const ast::Name *> labels;
};

/// In the order of the text.
Mentions mentions(const ast::Function &fn);
Mentions mentions(const ast::Expr &expr);
Mentions mentions(const ast::Body &body);

} // namespace weft::sema
