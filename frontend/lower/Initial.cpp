// How storage starts.
#include "frontend/builtin/Initial.h"
#include "frontend/lower/Builder.h"

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
std::optional<Scope> Builder::insideDraw(const ast::Function &function, const ast::Call &call,
                                         Scope &scope) {
  Scope inner;
  inner.library = session.functions.inLibrary(&function);
  for (auto [slot, group] : llvm::zip(function.dims, call.dims)) {
    auto filled = dims(group, scope);
    if (!filled)
      return std::nullopt;
    inner.dims[slot.text] = *filled;
  }
  auto bind = [&](const ast::Arg &arg, const ast::Expr &value, Scope &where) {
    auto known = this->known(value, where);
    if (known)
      inner.statics[arg.name.text] = *known;
    return known.has_value();
  };
  for (auto [i, arg] : llvm::enumerate(function.args)) {
    const ast::Expr *given = i < call.args.size() ? call.args[i].get() : nullptr;
    for (const ast::NamedArg &named : call.named)
      if (named.name.text == arg.name.text)
        given = named.value.get();
    if (!(given ? bind(arg, *given, scope) : bind(arg, *arg.value, inner)))
      return std::nullopt;
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
    auto named = staticName(call->callee, scope);
    auto *callee = named ? std::get_if<Callee>(&*named) : nullptr;
    if (const ast::Call *draw = callee && callee->function ? drawOf(*callee->function) : nullptr) {
      auto inner = insideDraw(*callee->function, *call, scope);
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
