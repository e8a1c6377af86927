// Expressions become ops.
#include "frontend/lower/Builder.h"
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
                          if (!x.isBool())
                            return unsupported(expr.span, "`not` takes a condition");
                          return {model::NotOp::create(builder, loc(), x.value), {}};
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
  if (auto found = scope.values.find(name.text); found != scope.values.end())
    return found->second;
  Location loc = at(name.span, bind.name.empty() ? StringRef(name.text) : bind.name);
  if (name.text == "inf")
    return constant(std::numeric_limits<double>::infinity(), loc);
  auto value = staticName(name, scope);
  if (!value)
    return unsupported(name.span, fmt::format("unknown value `{}`", name.text));
  if (auto *number = std::get_if<StaticNumber>(&*value))
    return constant(*number, loc);
  if (auto *truth = std::get_if<bool>(&*value))
    return constant(*truth, loc);
  return unsupported(name.span, fmt::format("`{}` is a function, not a value", name.text));
}

Tensor Builder::call(const ast::Call &call, Span place, Scope &scope, Bind bind) {
  const std::string &name = call.callee.text;
  std::string key = call.label ? call.label->text : bind.isNew ? bind.name.str() : "";
  if (call.label)
    bind.name = call.label->text;
  auto value = name == "training" ? std::nullopt : staticName(call.callee, scope);
  auto *callee = value ? std::get_if<Callee>(&*value) : nullptr;
  if (value && !callee)
    return unsupported(call.callee.span, fmt::format("`{}` is not a function", name));
  if (!callee || !callee->function) {
    Tensor result =
        primitive(callee ? callee->primitive : name, call, place, scope, at(place, bind.name));
    if (result && call.label)
      scope.frame.node->kids[key] = {std::make_shared<Node>(), result, {}};
    return result;
  }
  bool inEntry = active.empty();
  if (inEntry && !call.label && callee->function->kind == ast::FnKind::block)
    key.clear(); // entries share parameters, whatever their variables are called
  auto invocation = gather(call, *callee->function, place, scope, std::move(key));
  return invocation ? invoke(*invocation, scope.frame, bind) : Tensor();
}

} // namespace weft::lower
