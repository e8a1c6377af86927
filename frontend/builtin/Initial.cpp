// Which calls and functions are drawn initial values.
#include "frontend/builtin/Initial.h"

#include <algorithm>

namespace weft {

bool isDraw(const ast::Call &call) {
  return call.callee.text == "normal" || call.callee.text == "truncated_normal" ||
         call.callee.text == "uniform";
}

const ast::Call *drawOf(const ast::Function &function) {
  bool takesData = std::any_of(function.args.begin(), function.args.end(),
                               [](const ast::Arg &arg) { return arg.type.has_value(); });
  if (function.kind != ast::FnKind::fn || takesData || function.body.stmts.size() != 1)
    return nullptr;
  auto *value = function.body.stmts[0].as<ast::Value>();
  auto *call = value ? value->expr->as<ast::Call>() : nullptr;
  return call && isDraw(*call) ? call : nullptr;
}

} // namespace weft
