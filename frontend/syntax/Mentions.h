// The names that a function's text mentions, by the place they stand in.
#pragma once

#include "frontend/syntax/Ast.h"

#include <vector>

namespace weft {

struct Mentions {
  std::vector<const ast::Name *> dims;      ///< where only a dimension may stand
  std::vector<const ast::Name *> variables; ///< values, dimensions in `size(d)`, function arguments
  std::vector<const ast::Call *> calls;
  std::vector<const ast::Name *> bound; ///< what arguments, `param`, `state` and `=` name
  std::vector<const ast::Name *> labels;
  std::vector<const ast::Path *> paths;
  std::vector<const ast::Name *> declared;  ///< dimensions of the body
  std::vector<const ast::Name *> equations; ///< what their sizes are made of
};

/// The dimensions that an equation names.
std::vector<const ast::Name *> namesIn(const ast::DimDef &def);
/// In the order of the text.
Mentions mentions(const ast::Function &fn);
Mentions mentions(const ast::Expr &expr);
Mentions mentions(const ast::Body &body);

} // namespace weft
