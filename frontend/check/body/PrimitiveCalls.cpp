// Calls of primitives: what each takes and gives.
#include "frontend/builtin/Initial.h"
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

Value BodyChecker::primitive(const ast::Call &call, const Primitive &primitive, Place place) {
  if (primitive.kind == Primitive::Kind::dimension)
    return ofDimension(call, place);
  if (primitive.kind == Primitive::Kind::initial) {
    if (fn.syntax && drawOf(*fn.syntax) == &call)
      return draw(call, place);
    checkAll(call, place);
    onlyInitial(call);
    return Value::unknown();
  }
  std::optional<std::vector<Dims>> slots = groups(call, place);
  std::vector<Value> args;
  bool known = slots.has_value();
  for (const ast::ExprPtr &arg : call.args) {
    args.push_back(expr(*arg, place));
    known &= args.back().known();
  }
  for (const ast::NamedArg &arg : call.named)
    expr(*arg.value, place);
  if (!checkForm(call, primitive) || !known)
    return Value::unknown();
  return apply(call, primitive, *slots, args);
}

/// Whether the call has as many slots and arguments as the primitive takes.
bool BodyChecker::checkForm(const ast::Call &call, const Primitive &primitive) {
  if (call.label) {
    error(Code::E0408, call.label->span,
          fmt::format("`{}` has nothing inside that a label could name", call.callee.text))
        .suggest(fmt::format("leave the label out; to name the value, bind it: `{} = ...`",
                             call.label->text))
        .replace({call.label->span.file, call.label->span.begin, call.callee.span.begin}, "");
    return false;
  }
  auto refuse = [&](Code code, Span place, std::string message) {
    error(code, place, std::move(message)).suggest(fmt::format("call it as `{}`", primitive.form));
    return false;
  };
  if (call.dims.size() < primitive.minDims || call.dims.size() > primitive.maxDims)
    return refuse(Code::E0307, call.callee.span,
                  primitive.maxDims == 0 ? fmt::format("`{}` takes no dimensions", primitive.name)
                  : call.dims.empty()
                      ? fmt::format("`{}` needs dimensions in brackets", primitive.name)
                      : fmt::format("`{}` takes {} in brackets, got {}", primitive.name,
                                    primitive.maxDims == 1 ? "one dimension" : "two dimensions",
                                    call.dims.size()));
  if (!call.named.empty())
    return refuse(
        Code::E0308, call.named.front().name.span,
        fmt::format("`{}` has no argument `{}`", primitive.name, call.named.front().name.text));
  if (call.args.size() < primitive.minArgs || call.args.size() > primitive.maxArgs)
    return refuse(Code::E0308, call.callee.span,
                  fmt::format("`{}` takes {}{} argument{}, got {}", primitive.name,
                              primitive.maxArgs > 3 ? "at least " : "", primitive.minArgs,
                              primitive.minArgs == 1 ? "" : "s", call.args.size()));
  bool single =
      primitive.kind != Primitive::Kind::reduce && primitive.kind != Primitive::Kind::expand;
  for (const ast::Group &slot : call.dims)
    if (single && slot.dims.size() > 1) {
      error(Code::E0307, slot.span, fmt::format("`{}` takes one dimension here", primitive.name))
          .suggest("merge them first: `x[(a, b) as c]` with `dim c = a * b`");
      return false;
    }
  return true;
}

Value BodyChecker::apply(const ast::Call &call, const Primitive &primitive,
                         const std::vector<Dims> &slots, const std::vector<Value> &args) {
  using Kind = Primitive::Kind;
  const ast::Expr &first = *call.args.front();
  const Value &x = args.front();
  const Dim *dim = slots.empty() ? nullptr : slots.front().front();
  if (primitive.kind == Kind::stack || primitive.kind == Kind::top)
    for (const Dims &slot : slots)
      single(slot.front(), fmt::format("`{}` takes one", primitive.name));
  switch (primitive.kind) {
  case Kind::where:
    return where(call, args);
  case Kind::stack:
    return stack(call, dim, args);
  case Kind::concat:
    return concat(call, dim, args);
  case Kind::random:
    return {{Element::real(), x.type.dims}, {}};
  case Kind::expand: { // what it holds stays what it is
    Value out = x;
    for (const Dims &slot : slots)
      out.type.dims = unite(out.type.dims, slot);
    return out;
  }
  default:
    break;
  }
  for (size_t i = 0; i < args.size(); ++i)
    if (!needsNumber(call, *call.args[i], args[i]))
      return Value::unknown();
  switch (primitive.kind) {
  case Kind::map:
    return {{Element::real(), x.type.dims}, {}};
  case Kind::floor:
    return floored(x);
  case Kind::reduce:
    return reduce(call, slots, x);
  case Kind::pair: {
    Value out{
        {*common(x.type.element, args[1].type.element), unite(x.type.dims, args[1].type.dims)}, {}};
    out.ranges = primitive.name == "max" ? largest(x, args[1], module.bounds())
                                         : smallest(x, args[1], module.bounds());
    return out;
  }
  case Kind::argmax:
    if (!has("find the largest along", call.dims[0].dims[0], dim, x, first))
      return Value::unknown();
    return {{Element::index(dim), without(x.type.dims, {dim})}, {}};
  case Kind::top:
    return top(call, dim, slots[1].front(), x);
  case Kind::cumsum:
    if (!has("sum along", call.dims[0].dims[0], dim, x, first))
      return Value::unknown();
    return {{x.type.element.isReal() ? Element::real() : Element::integer(), x.type.dims}, {}};
  case Kind::clamp:
    if (!x.type.element.isReal())
      return {{Element::index(dim), x.type.dims}, {}};
    error(Code::E0306, first.span,
          fmt::format("`clamp[{}]` makes an index of whole numbers", dim->name),
          "holds " + showWithElement(x.type))
        .suggest(fmt::format("`floor({})`", quote(first)))
        .replace(first.span, fmt::format("floor({})", quote(first)));
    return Value::unknown();
  default:
    return Value::unknown();
  }
}

Value BodyChecker::ofDimension(const ast::Call &call, Place place) {
  const std::string &callee = call.callee.text;
  auto *variable = call.args.size() == 1 ? call.args[0]->as<ast::Variable>() : nullptr;
  if (!variable || !call.named.empty() || !call.dims.empty()) {
    Span where = call.args.empty() ? call.callee.span : call.args[0]->span;
    auto &problem = error(Code::E0203, where, fmt::format("`{}` takes one dimension", callee));
    std::vector<std::string> visible = place.dims.names();
    std::sort(visible.begin(), visible.end());
    problem.suggest(
        fmt::format("call it as `{}({})`", callee, visible.empty() ? "d" : visible.front()));
    return Value::unknown();
  }
  if (place.values.find(variable->name.text)) {
    auto &problem =
        error(Code::E0203, variable->name.span,
              fmt::format("`{}` is a value, `{}` takes a dimension", variable->name.text, callee));
    std::string own;
    for (const Dim *dim : place.values.find(variable->name.text)->type.dims)
      if (!dim->isRest())
        own += fmt::format("{}`{}({})`", own.empty() ? "" : ", ", callee, dim->name);
    problem.suggest(own.empty() ? "it has no dimension of its own: name one"
                                : "of its dimensions: " + own);
    return Value::unknown();
  }
  const Dim *along = dim(variable->name, place);
  if (!along)
    return Value::unknown();
  if (callee == "index")
    return {{Element::index(along), {along}}, {}};
  Value size{{Element::integer(), {}}, {}};
  if (!along->broken)
    size.ranges = only(along->size);
  return size;
}

bool BodyChecker::needsNumber(const ast::Call &call, const ast::Expr &arg, const Value &value) {
  if (!value.type.element.isBool())
    return true;
  auto &problem = error(Code::E0313, arg.span, fmt::format("`{}` needs numbers", call.callee.text),
                        "holds " + show(value.type));
  std::string text = quote(arg);
  problem.suggest(fmt::format("`where({}, 1, 0)` counts a condition", text));
  if (text != "...")
    problem.replace(arg.span, fmt::format("where({}, 1, 0)", text));
  return false;
}

Value BodyChecker::floored(const Value &x) {
  Value out{{x.type.element.isReal() ? Element::integer() : x.type.element, x.type.dims}, {}};
  out.ranges = x.type.element.isReal() ? sema::floored(x.ranges, module.bounds()) : x.ranges;
  return out;
}

} // namespace weft::sema
