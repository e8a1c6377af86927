// How storage starts.
#include "frontend/builtin/Initial.h"
#include "frontend/lower/body/Builder.h"

#include <cmath>

using namespace mlir;

namespace weft::lower {

/// The number that `expr` is; nothing if it is not known at build time.
std::optional<double> Builder::staticNumber(const ast::Expr &expr, Scope &scope) {
  auto known = staticValue(expr, scope);
  if (!known)
    return std::nullopt;
  if (auto *truth = std::get_if<bool>(&*known))
    return *truth;
  auto *number = std::get_if<StaticNumber>(&*known);
  return number ? std::optional(number->value) : std::nullopt;
}

/// What the names in the body of `function` stand for when `call` calls it.
std::optional<Scope> Builder::insideDraw(const sema::FunctionInfo &function, const ast::Call &call,
                                         Scope &scope) {
  auto invocation = gather(call, function, call.callee.span, scope, "");
  if (!invocation)
    return std::nullopt;
  Scope inner;
  for (auto [slot, group] : llvm::zip(function.signature.dims, invocation->dims))
    inner.dims[slot] = group;
  for (const sema::ArgInfo &arg : function.signature.args) {
    auto given = invocation->statics.find(&arg);
    auto value = given != invocation->statics.end() ? std::optional(given->second)
                                                    : known(*arg.syntax->value, inner);
    if (!value)
      return std::nullopt;
    inner.statics[&arg] = *value;
  }
  return inner;
}

/// What `= normal(0.02)`, `= uniform(…)`, `= 1` or a call of a function that is a draw says;
/// nothing if it is not known at build time.
std::optional<Start> Builder::start(const ast::Expr *init, Scope &scope) {
  Start start;
  if (!init)
    return start;
  auto *call = init->as<ast::Call>();
  if (call && !isDraw(*call)) {
    bool isPrimitive = std::holds_alternative<const Primitive *>(session.meaning(call->callee));
    Callee function = isPrimitive ? nullptr : callee(*call, scope);
    if (const ast::Call *draw =
            function && function->syntax ? drawOf(*function->syntax) : nullptr) {
      auto inner = insideDraw(*function, *call, scope);
      return inner ? drawn(*draw, *inner) : std::nullopt;
    }
  }
  if (call && isDraw(*call))
    return drawn(*call, scope);
  auto value = staticNumber(*init, scope);
  if (!value || !std::isfinite(static_cast<float>(*value)))
    return std::nullopt;
  start.value = *value;
  return start;
}

std::optional<Start> Builder::drawn(const ast::Call &draw, Scope &scope) {
  auto kind = model::symbolizeInitKind(draw.callee.text);
  if (!kind)
    return std::nullopt;
  Start start{*kind, 1};
  if (draw.args.empty())
    return start;
  auto spread = staticNumber(*draw.args[0], scope);
  constexpr double farthest = 7; // of 2^32 normal numbers, in deviations: sqrt(64 log 2) is 6.7
  if (!spread || !(*spread >= 0 && std::isfinite(static_cast<float>(*spread * farthest))))
    return std::nullopt;
  start.value = *spread;
  return start;
}

} // namespace weft::lower
