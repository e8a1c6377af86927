// Parts of a program in messages.
#include "frontend/syntax/Quote.h"
#include "frontend/syntax/Unparse.h"

namespace weft {

/// A long expression would hide what the help says about it.
static std::string shortened(std::string text) {
  constexpr size_t longest = 60;
  return text.size() <= longest ? text : "...";
}

std::string quote(const ast::Expr &expr) {
  return shortened(unparse(expr, ast::Parentheses::needed));
}

std::string quotePrimary(const ast::Expr &expr) {
  return shortened(unparsePrimary(expr));
}

std::string quoteSlots(const ast::Call &call) {
  return call.dims.empty() ? "" : unparse(call.dims);
}

std::string quote(const ast::Type &type, const std::string &extraDim, const std::string &element) {
  std::string dims = unparseDims(type);
  if (!extraDim.empty())
    dims += (dims.empty() ? "" : ", ") + extraDim;
  std::string base = !element.empty() ? element : type.element ? type.element->text : "";
  if (dims.empty())
    return base.empty() ? "float" : base;
  return base + "[" + dims + "]";
}

} // namespace weft
