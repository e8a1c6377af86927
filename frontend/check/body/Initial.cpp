// Initial values of storage: one number, a draw, or a function that is a draw.
#include "frontend/builtin/Initial.h"
#include "frontend/check/body/Body.h"

#include <fmt/format.h>

namespace weft::sema {

static constexpr std::string_view help =
    "one number made of numbers, options and sizes, or `normal(0.02)`";

/// What a draw is given; nothing where it is left out, unknown after errors.
std::optional<Static> BodyChecker::spread(const ast::Call &draw, Place place) {
  module.mean(draw.callee, findPrimitive(draw.callee.text, false));
  if (draw.args.size() > 1 || !draw.named.empty() || !draw.dims.empty() || draw.label)
    error(Code::E0308, draw.callee.span, fmt::format("`{}` takes one number", draw.callee.text))
        .suggest(fmt::format("call it as `{}(0.02)`", draw.callee.text));
  if (draw.args.empty())
    return std::nullopt;
  return evaluate(module, *draw.args[0], staticPlace(place, help));
}

/// The body of a function that is a draw; its result is what is declared.
Value BodyChecker::draw(const ast::Call &call, Place place) {
  std::optional<Static> known = spread(call, place);
  if (known && known->kind != Static::Kind::number && known->kind != Static::Kind::unknown)
    error(Code::E0404, call.args[0]->span, fmt::format("`{}` takes a number", call.callee.text),
          fmt::format("this is {}", describe(known->kind)))
        .suggest(fmt::format("call it as `{}(0.02)`", call.callee.text));
  return {fn.signature.result, {}};
}

void BodyChecker::onlyInitial(const ast::Call &call) {
  error(Code::E0407, call.callee.span,
        fmt::format("`{}` is only for initial values", call.callee.text))
      .suggest("`random(x)` gives numbers between 0 and 1 for each position of `x`, in each run");
}

/// The function that `call` calls, if that is a draw.
const FunctionInfo *BodyChecker::drawing(const ast::Call &call) const {
  const std::string &name = call.callee.text;
  const FunctionInfo *found = module.tree.function(name, fn.library);
  for (const ArgInfo &arg : fn.signature.args)
    if (arg.isStatic && arg.name == name)
      found = arg.fallback.fn;
  if (auto it = module.tree.options.find(name); !fn.library && it != module.tree.options.end())
    found = it->second.value.fn;
  return found && found->syntax && drawOf(*found->syntax) ? found : nullptr;
}

/// A function that is a draw, for storage of its result's dimensions.
void BodyChecker::drawsFor(const ast::Storage &decl, const Type &type, Place place) {
  place.initial = true;
  Value value = expr(*decl.init, place);
  if (!value.known() || !type.known)
    return;
  const Dims &found = value.type.dims, &wanted = type.dims;
  if (type.element.isReal() && beyond(wanted, found).empty() && beyond(found, wanted).empty())
    return;
  error(Code::E0404, decl.init->span,
        fmt::format("this cannot be the initial value of `{}`", decl.name.text),
        "this draws " + show(value.type))
      .label(decl.type.span, "declared " + show(type))
      .suggest("in brackets stand the dimensions of the parameter");
}

/// A draw, a function that is one, or one number for all positions.
void BodyChecker::initialValue(const ast::Storage &decl, const Type &type, Place place) {
  auto *call = decl.init->as<ast::Call>();
  bool drawn = call && isDraw(*call);
  if (call && drawing(*call))
    return drawsFor(decl, type, place);
  std::optional<Static> given =
      drawn ? spread(*call, place) : evaluate(module, *decl.init, staticPlace(place, help));
  Static known = given.value_or(Static{});
  if (known.kind == Static::Kind::unknown || !type.known)
    return;
  bool isBool = type.element.isBool();
  bool fits = known.kind == (isBool ? Static::Kind::toggle : Static::Kind::number) &&
              (isBool || type.element.isReal() || known.whole) &&
              !(drawn && !type.element.isReal());
  if (!fits)
    error(Code::E0404, decl.init->span,
          fmt::format("this cannot be the initial value of `{}`", decl.name.text),
          fmt::format("this is {}", describe(known.kind)))
        .label(decl.type.span, "declared " + show(type))
        .suggest(isBool                  ? "begin with a switch: `= false`"
                 : type.element.isReal() ? "begin with a number: `= 0`, or with `normal(0.02)`"
                                         : "begin with a whole number: `= 0`");
}

} // namespace weft::sema
