// Expressions: literals, names, and what dispatches to the rest.
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Limits.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

Value BodyChecker::expr(const ast::Expr &expr, Place place, const ast::Name *label) {
  if (isOperation(expr) && ++operations == mostOperations + 1)
    error(Code::E0610, expr.span,
          fmt::format("the program is too large: this is operation {} of a body", operations))
        .suggest("`repeat[n] { … }` says once what is done n times");
  Value value =
      std::visit(ast::Match{
                     [&](const ast::Number &n) { return number(n); },
                     [&](const ast::Bool &) { return Value{{Element::boolean(), {}}, {}}; },
                     [&](const ast::Variable &v) { return variable(v, place); },
                     [&](const ast::Path &p) { return path(p, place); },
                     [&](const ast::Call &c) { return call(c, place, label); },
                     [&](const ast::Index &i) { return index(i, place, label); },
                     [&](const ast::Unary &u) { return unary(u, place); },
                     [&](const ast::Binary &b) { return binary(b, place); },
                 },
                 expr.node);
  module.tree.types.insert_or_assign(&expr, value.type);
  return value;
}

Value BodyChecker::number(const ast::Number &number) {
  if (!number.isInteger)
    return {{Element::real(), {}}, {}};
  Size size = Size::number(number.integer);
  return {{Element::integer(), {}}, only(size)};
}

Value BodyChecker::variable(const ast::Variable &variable, Place place) {
  const ast::Name &name = variable.name;
  if (const Value *value = place.values.find(name.text)) {
    if (!place.constant) {
      module.mean(name, place.values.variable(name.text));
      return *value;
    }
    error(Code::E0404, name.span,
          fmt::format("`{}` is only known when the program runs", name.text))
        .suggest("this can be made of numbers, options and sizes");
    return Value::unknown();
  }
  if (name.text == "inf") {
    module.mean(name, Word::infinity);
    return {{Element::real(), {}}, {}};
  }
  if (std::optional<Static> fixed = fixedValue(name))
    return ofStatic(*fixed, name);
  if (place.dims.find(name.text)) {
    error(Code::E0203, name.span, fmt::format("`{}` is a dimension, not a value", name.text))
        .suggest(fmt::format("write `size({0})` for its extent or `index({0})` for the positions "
                             "along it",
                             name.text));
    return Value::unknown();
  }
  if (const FunctionInfo *function = module.tree.function(name.text, fn.library)) {
    error(Code::E0203, name.span, fmt::format("`{}` is a function, not a value", name.text))
        .suggest(fmt::format("call it: `{}(...)`", function->name));
    return Value::unknown();
  }
  auto [first, isNew] = reported.try_emplace(name.text);
  if (!isNew) {
    first->second->again(name.span);
    return Value::unknown();
  }
  if (naming->values.count(name.text)) { // then a branch has bound it
    first->second =
        &error(Code::E0204, name.span, fmt::format("`{}` is bound in one branch only", name.text))
             .suggest("bind it in both branches of the `if`, or before it");
    return Value::unknown();
  }
  first->second =
      &error(Code::E0204, name.span, fmt::format("unknown value `{}`", name.text),
             "not defined here")
           .suggest(fmt::format("bind it first: `{} = ...`, or take it as an argument", name.text));
  module.suggest(*first->second, name, [&] { return knownValues(place); });
  return Value::unknown();
}

std::vector<std::string> BodyChecker::knownValues(Place place) const {
  std::vector<std::string> known = place.values.names();
  for (const ArgInfo &arg : fn.signature.args)
    known.push_back(arg.name);
  if (!fn.library)
    for (const auto &[name, option] : module.tree.options)
      known.push_back(name);
  return known;
}

std::optional<Static> BodyChecker::fixedValue(const ast::Name &name) {
  for (const ArgInfo &arg : fn.signature.args)
    if (arg.isStatic && arg.name == name.text) {
      module.mean(name, &arg);
      return arg.fallback;
    }
  if (auto it = module.tree.options.find(name.text);
      !fn.library && it != module.tree.options.end()) {
    it->second.used = true;
    module.mean(name, &it->second);
    return it->second.value;
  }
  if (name.text == "training") {
    module.mean(name, Word::training);
    return Static{Static::Kind::toggle};
  }
  return std::nullopt;
}

Value BodyChecker::ofStatic(const Static &value, const ast::Name &name) {
  switch (value.kind) {
  case Static::Kind::number:
    return {{value.whole ? Element::integer() : Element::real(), {}}, {}};
  case Static::Kind::toggle:
    return {{Element::boolean(), {}}, {}};
  case Static::Kind::function:
    error(Code::E0203, name.span, fmt::format("`{}` is a function, not a value", name.text))
        .suggest(fmt::format("call it: `{}(...)`", name.text));
    break;
  case Static::Kind::unknown:
    break;
  }
  return Value::unknown();
}

Value BodyChecker::unary(const ast::Unary &unary, Place place) {
  Value x = expr(*unary.operand, place);
  if (!x.known())
    return x;
  if (unary.op == ast::UnaryOp::logicalNot) {
    if (x.type.element.isBool())
      return x;
    error(Code::E0313, unary.opSpan, "`not` needs a condition")
        .label(unary.operand->span, "this is " + show(x.type))
        .suggest(fmt::format("compare it: `{} == 0`", quote(*unary.operand)));
    return {{Element::boolean(), x.type.dims}, {}};
  }
  if (x.type.element.isBool()) {
    error(Code::E0313, unary.opSpan, "`-` needs a number")
        .label(unary.operand->span, "this is " + show(x.type))
        .suggest(fmt::format("`not {}` turns a condition around", quotePrimary(*unary.operand)));
    return Value::unknown();
  }
  x.ranges = negated(rangesOf(x));
  if (x.type.element.isIndex())
    x.type.element = Element::integer();
  return x;
}

} // namespace weft::sema
