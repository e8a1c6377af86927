// Expressions become ops.
#include "frontend/lower/body/Builder.h"
#include "frontend/syntax/Limits.h"

#include <fmt/format.h>

#include <limits>

using namespace mlir;

namespace weft::lower {

Tensor Builder::expression(const ast::Expr &expr, Scope &scope, Bind bind) {
  auto loc = [&] { return at(expr.span, bind.name); };
  if (isOperation(expr) && ++operations > mostOperations)
    return tooLarge(expr.span, fmt::format("this is operation {} of an entry", operations));
  return std::visit(ast::Match{
                        [&](const ast::Number &number) {
                          return number.isInteger ? constant(number.integer, loc())
                                                  : constant(number.value, loc());
                        },
                        [&](const ast::Bool &truth) { return constant(truth.value, loc()); },
                        [&](const ast::Variable &v) { return variable(v.name, scope, bind); },
                        [&](const ast::Path &p) { return path(p, scope); },
                        [&](const ast::Call &c) { return call(c, expr.span, scope, bind); },
                        [&](const ast::Index &i) { return index(i, scope, bind); },
                        [&](const ast::Unary &unary) -> Tensor {
                          Tensor x = expression(*unary.operand, scope);
                          if (!x)
                            return {};
                          if (unary.op == ast::UnaryOp::negate)
                            return negate(x, loc());
                          return {model::NotOp::create(builder, loc(), x.value)};
                        },
                        [&](const ast::Binary &b) -> Tensor {
                          Tensor x = expression(*b.lhs, scope),
                                 y = x ? expression(*b.rhs, scope) : Tensor();
                          return binary(b.op, b.opSpan, x, y, loc());
                        },
                    },
                    expr.node);
}

Tensor Builder::variable(const ast::Name &name, Scope &scope, Bind bind) {
  if (auto *variable = std::get_if<const sema::Variable *>(&session.meaning(name)))
    return scope.values.at(*variable);
  Location loc = at(name.span, bind.name.empty() ? StringRef(name.text) : bind.name);
  Static value = *use(knownName(name, scope));
  if (auto *number = std::get_if<StaticNumber>(&value))
    return constant(*number, loc);
  return constant(std::get<bool>(value), loc);
}

Tensor Builder::call(const ast::Call &call, Span place, Scope &scope, Bind bind) {
  std::string key = call.label ? call.label->text : bind.isNew ? bind.name.str() : "";
  if (call.label)
    bind.name = call.label->text;
  auto *direct = std::get_if<const Primitive *>(&session.meaning(call.callee));
  Callee function = direct ? nullptr : callee(call, scope);
  if (!function || !function->syntax) {
    const Primitive *called = direct ? *direct : findPrimitive(function->name, false);
    Tensor result = primitive(*called, call, place, scope, at(place, bind.name));
    if (result && call.label)
      scope.frame.node->instances[key] = {std::make_shared<Node>(), result, {}};
    return result;
  }
  bool inEntry = active.empty();
  if (inEntry && !call.label && function->isBlock())
    key.clear(); // entries share parameters, whatever their variables are called
  auto invocation = gather(call, *function, place, scope, std::move(key));
  return invocation ? invoke(*invocation, scope.frame, bind) : Tensor();
}

} // namespace weft::lower
