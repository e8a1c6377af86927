// Calls: who is called, and what the call gives.
#include "frontend/builtin/Initial.h"
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

Value BodyChecker::call(const ast::Call &call, Place place, const ast::Name *label) {
  const std::string &name = call.callee.text;
  for (const ArgInfo &arg : fn.signature.args)
    if (arg.isStatic && arg.name == name) {
      module.mean(call.callee, &arg);
      if (arg.fallback.isFunction())
        return callFunction(call, *arg.fallback.fn, &fn.slots[name], place, label);
      return notAFunction(call, arg.fallback, place);
    }
  if (auto it = module.tree.options.find(name); !fn.library && it != module.tree.options.end()) {
    it->second.used = true;
    module.mean(call.callee, &it->second);
    if (it->second.value.isFunction())
      return callFunction(call, *it->second.value.fn, &it->second.use, place, label);
    return notAFunction(call, it->second.value, place);
  }
  const FunctionInfo *callee = module.tree.function(name, fn.library);
  if (callee && callee->syntax) {
    module.mean(call.callee, callee);
    return callFunction(call, *callee, nullptr, place, label);
  }
  if (const Primitive *found = findPrimitive(name, !call.dims.empty())) {
    module.mean(call.callee, found);
    return primitive(call, *found, place);
  }
  return unknownCallee(call, place);
}

Value BodyChecker::notAFunction(const ast::Call &call, const Static &value, Place place) {
  checkAll(call, place);
  if (value.kind != Static::Kind::unknown)
    error(Code::E0204, call.callee.span,
          fmt::format("`{}` is {}, not a function", call.callee.text, describe(value.kind)))
        .suggest(fmt::format("its name alone is its value: `{}`", call.callee.text));
  return Value::unknown();
}

Value BodyChecker::unknownCallee(const ast::Call &call, Place place) {
  checkAll(call, place);
  const std::string &name = call.callee.text;
  if (place.values.find(name))
    error(Code::E0204, call.callee.span, fmt::format("`{}` is a value, not a function", name))
        .suggest(fmt::format("`{}[d = ...]` picks from it", name));
  else if (module.tree.entries.count(name) || module.tree.derived.count(name))
    error(Code::E0204, call.callee.span,
          fmt::format("`{}` is an entry: it is called from outside", name))
        .suggest("put what both need into a `block`");
  else if (place.dims.find(name))
    error(Code::E0204, call.callee.span, fmt::format("`{}` is a dimension, not a function", name))
        .suggest(
            fmt::format("`size({0})` is its extent, `index({0})` the positions along it", name));
  else if (name == "minimize" || name == "decode")
    error(Code::E0204, call.callee.span, fmt::format("`{}` is not called in a body", name))
        .suggest(name == "minimize" ? "it makes an entry of a loss: `entry train = minimize(loss, "
                                      "adamw(rate = 0.001))`"
                                    : "it makes an entry of logits: `entry generate = "
                                      "decode[seq](logits, start = 0, max = 100)`");
  else
    module.suggest(
        error(Code::E0204, call.callee.span, fmt::format("unknown function or block `{}`", name))
            .suggest(fmt::format("write it: `fn {}(x: [..]) -> [..] = ...`", name)),
        call.callee, [&] { return callable(); });
  return Value::unknown();
}

std::vector<std::string> BodyChecker::callable() const {
  std::vector<std::string> names = module.tree.functionNames(fn.library);
  for (const ArgInfo &arg : fn.signature.args)
    if (arg.fallback.isFunction())
      names.push_back(arg.name);
  if (!fn.library)
    for (const auto &[name, option] : module.tree.options)
      if (option.value.isFunction())
        names.push_back(name);
  return names;
}

StaticPlace BodyChecker::staticPlace(Place place, std::string_view help) {
  return {&fn.signature.args,
          fn.library,
          &place.dims,
          help,
          [&values = place.values](std::string_view name) { return values.find(name) != nullptr; },
          &reported};
}

/// Reads the arguments of a call that cannot be judged, for their own errors.
void BodyChecker::checkAll(const ast::Call &call, Place place) {
  for (const ast::Group &slot : call.dims)
    group(slot, place);
  for (const ast::ExprPtr &arg : call.args)
    expr(*arg, place);
  for (const ast::NamedArg &arg : call.named)
    expr(*arg.value, place);
}

std::optional<std::vector<Dims>> BodyChecker::groups(const ast::Call &call, Place place) {
  std::vector<Dims> out;
  bool known = true;
  for (const ast::Group &slot : call.dims)
    if (std::optional<Dims> dims = group(slot, place))
      out.push_back(std::move(*dims));
    else
      known = false;
  return known ? std::optional(out) : std::nullopt;
}

Value BodyChecker::callFunction(const ast::Call &call, const FunctionInfo &callee, SlotUse *slot,
                                Place place, const ast::Name *label) {
  if (callee.isBlock() && fn.kind == ast::FnKind::fn)
    needsBlock(call.callee.span, fmt::format("`fn` cannot call block `{}`", callee.name),
               "a block owns parameters");
  if (callee.isBlock() && place.constant) {
    error(Code::E0404, call.callee.span,
          fmt::format("a block cannot be called here: `{}` owns parameters", callee.name))
        .suggest("a default is made of numbers, options and sizes");
    return Value::unknown();
  }
  if (isOptimizer(callee) && filled.empty()) {
    checkAll(call, place);
    error(Code::E0405, call.callee.span,
          fmt::format("`{}` is an optimizer: only `minimize` runs it", callee.name))
        .suggest(fmt::format("`entry train = minimize(loss, {}())`", callee.name));
    return Value::unknown();
  }

  if (callee.syntax && drawOf(*callee.syntax) && !place.initial)
    onlyInitial(call);

  std::optional<std::vector<Dims>> slots = groups(call, place);
  Matching matching(callee, slot);
  matching.known = callee.signature.known;
  matching.slotsFilled = slots && fillSlots(call, *slots, matching);
  std::vector<const ast::Expr *> given = assign(call, matching, place);
  // Functions first: what they speak of, no data may bring.
  for (bool isStatic : {true, false})
    for (size_t i = 0; i < given.size(); ++i)
      if (const ArgInfo &arg = callee.signature.args[i]; given[i] && arg.isStatic == isStatic)
        isStatic ? matchStatic(*given[i], arg, matching, place)
                 : matchData(*given[i], arg, matching, place);

  // What is left out brings nothing.
  for (const ArgInfo &arg : callee.signature.args)
    if (arg.rest)
      matching.dims.try_emplace(arg.rest);
  Instance instance{&call, &callee, matching.dims, result(call, matching)};
  Value value{instance.result, {}};
  remember(call, std::move(instance), label);
  return value;
}

/// The declared result in the caller's dimensions.
Type BodyChecker::result(const ast::Call &call, const Matching &matching) {
  const Type &declared = matching.callee.signature.result;
  bool hasRest = std::any_of(declared.dims.begin(), declared.dims.end(),
                             [](const Dim *dim) { return dim->isRest(); });
  // After an error the result is still known if no argument adds to it.
  if (!declared.known || !matching.slotsFilled || (!matching.known && hasRest))
    return Type::unknown();
  Type type = substitute(matching.dims, declared);
  if (const Dim *twice = repeated(type.dims)) {
    error(Code::E0309, call.callee.span,
          fmt::format("the result of `{}` would have `{}` twice", call.callee.text, name(twice)),
          fmt::format("an argument brings `{}` in its `..`", name(twice)))
        .suggest(fmt::format("rename it in the argument: `...[{} as ...]`", name(twice)));
    return Type::unknown();
  }
  return type;
}

} // namespace weft::sema
