// Primitives that drop, add or join dimensions: reductions, `top`, `where`, `stack`, `concat`.
#include "frontend/check/Body.h"
#include "frontend/check/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

Value BodyChecker::reduce(const ast::Call &call, const std::vector<Dims> &slots, const Value &x) {
  Dims all;
  for (size_t i = 0; i < slots.size(); ++i)
    for (size_t j = 0; j < slots[i].size(); ++j) {
      const ast::Name &name = call.dims[i].dims[j];
      if (!has(fmt::format("{} over", call.callee.text), name, slots[i][j], x, *call.args[0]))
        return Value::unknown();
      all.push_back(slots[i][j]);
    }
  if (const Dim *twice = repeated(all)) {
    error(Code::E0307, call.callee.span, fmt::format("`{}` is reduced twice", twice->name));
    return Value::unknown();
  }
  // Over no positions `max` is the lowest number, which is no index.
  Element element = x.type.element.isReal() ? Element::real() : Element::integer();
  return {{element, without(x.type.dims, all)}, std::nullopt};
}

Value BodyChecker::top(const ast::Call &call, const Dim *count, const Dim *along, const Value &x) {
  const ast::Name &countName = call.dims[0].dims[0], &alongName = call.dims[1].dims[0];
  if (!has("take the top of", alongName, along, x, *call.args[0]))
    return Value::unknown();
  Dims rest = without(x.type.dims, {along});
  if (contains(rest, count)) {
    error(Code::E0305, countName.span,
          fmt::format("the value already has a dimension `{}`", count->name))
        .label(call.args[0]->span, "shape " + show(x.type));
    return Value::unknown();
  }
  std::optional<int64_t> wanted = count->size.constant(), available = along->size.constant();
  if (wanted && available && *wanted > *available)
    error(Code::E0311, countName.span,
          fmt::format("`{}` has {} positions, the top {} are asked for", along->name, *available,
                      *wanted));
  rest.push_back(count);
  return {{Element::index(along), rest}, std::nullopt};
}

/// The element that all arguments from `start` on widen to; empty after an error.
std::optional<Element> BodyChecker::commonElement(const ast::Call &call,
                                                  const std::vector<Value> &args, size_t start) {
  Element element = args[start].type.element;
  for (size_t i = start + 1; i < args.size(); ++i) {
    std::optional<Element> both = common(element, args[i].type.element);
    if (!both) {
      const ast::Expr &wrong = *call.args[element.isBool() ? start : i];
      error(Code::E0313, call.args[i]->span,
            fmt::format("`{}` joins a condition and a number", call.callee.text),
            show(args[i].type))
          .label(call.args[start]->span, show(args[start].type))
          .suggest(fmt::format("`where({}, 1, 0)` counts a condition", quote(wrong)))
          .replace(wrong.span, fmt::format("where({}, 1, 0)", quote(wrong)));
      return std::nullopt;
    }
    element = *both;
  }
  return element;
}

Value BodyChecker::where(const ast::Call &call, const std::vector<Value> &args) {
  if (!args[0].type.element.isBool()) {
    auto &problem = error(Code::E0313, call.args[0]->span, "`where` needs a condition",
                          "holds " + show(args[0].type));
    if (std::string text = quote(*call.args[0]); text != "...")
      problem.suggest(fmt::format("compare it: `{} != 0`", text))
          .replace(call.args[0]->span, fmt::format("{} != 0", text));
    return Value::unknown();
  }
  std::optional<Element> element = commonElement(call, args, 1);
  if (!element)
    return Value::unknown();
  Value out{{*element, unite(args[0].type.dims, unite(args[1].type.dims, args[2].type.dims))}, {}};
  std::optional<IndexRange> least = smallest(args[1], args[2], module.bounds());
  std::optional<IndexRange> most = largest(args[1], args[2], module.bounds());
  if (least && most)
    out.range = IndexRange{least->low, most->high};
  return out;
}

Value BodyChecker::stack(const ast::Call &call, const Dim *dim, const std::vector<Value> &args) {
  const ast::Name &name = call.dims[0].dims[0];
  bool isFree = dim->kind == Dim::Kind::file && !dim->defined;
  Size count = Size::number(static_cast<int64_t>(args.size()));
  if (dim->size != count && !isFree && !dim->broken) {
    auto &problem =
        error(Code::E0311, name.span, fmt::format("`{}` is not {} long", name.text, args.size()),
              "size " + show(dim->size));
    if (dim->kind != Dim::Kind::parameter)
      problem.label(dim->place, "declared here");
    return Value::unknown();
  }
  std::optional<Element> element = commonElement(call, args, 0);
  if (!element)
    return Value::unknown();
  Dims all;
  for (size_t i = 0; i < args.size(); ++i) {
    if (contains(args[i].type.dims, dim)) {
      error(Code::E0305, call.args[i]->span,
            fmt::format("the value already has a dimension `{}`", dim->name),
            "shape " + show(args[i].type));
      return Value::unknown();
    }
    all = unite(all, args[i].type.dims);
  }
  all.push_back(dim);
  return {{*element, all}, std::nullopt};
}

void BodyChecker::wrongParts(const ast::Name &name, const Dim *dim,
                             const std::vector<Value> &args) {
  if (!dim->parts.empty()) {
    std::vector<std::string> parts;
    for (const Dim *part : dim->parts)
      parts.push_back(part->name);
    error(Code::E0314, name.span,
          fmt::format("`{}` has {} parts, not {}", name.text, parts.size(), args.size()))
        .label(dim->place, fmt::format("made of `{}`", fmt::join(parts, "` and `")));
    return;
  }
  // Each argument's part is what it has and its neighbours have not.
  std::vector<std::string> parts;
  for (const Value &value : args) {
    Dims own = value.type.dims;
    for (const Value &other : args)
      if (&other != &value)
        own = without(own, other.type.dims);
    if (own.size() == 1 && !own.front()->isRest())
      parts.push_back(own.front()->name);
  }
  bool guessed = parts.size() == args.size();
  std::string equation =
      guessed ? fmt::format("{} = {}", name.text, fmt::join(parts, " | ")) : name.text + " = a | b";
  auto &problem =
      error(Code::E0314, name.span, fmt::format("`{}` is not declared as parts", name.text))
          .label(dim->place, "declared here")
          .suggest(fmt::format("`dim {}` says what it is made of", equation));
  for (const auto &[def, declared] : module.dimDefs)
    if (declared == dim && guessed)
      problem.replace(def->span, equation);
}

Value BodyChecker::concat(const ast::Call &call, const Dim *dim, const std::vector<Value> &args) {
  const ast::Name &name = call.dims[0].dims[0];
  if (dim->broken)
    return Value::unknown();
  if (dim->parts.size() != args.size()) {
    wrongParts(name, dim, args);
    return Value::unknown();
  }
  std::optional<Element> element = commonElement(call, args, 0);
  if (!element)
    return Value::unknown();
  Dims all;
  for (size_t i = 0; i < args.size(); ++i) {
    const Dims &dims = args[i].type.dims;
    const Dim *part = dim->parts[i];
    if (!contains(dims, part)) {
      std::vector<std::string> parts;
      for (const Dim *other : dim->parts)
        parts.push_back(other->name);
      error(Code::E0304, call.args[i]->span,
            fmt::format("this part of `{}` must carry `{}`", dim->name, part->name),
            "shape " + show(args[i].type))
          .note(fmt::format("`{}` is made of `{}`, in this order", dim->name,
                            fmt::join(parts, "` and `")));
      return Value::unknown();
    }
    Dims others = without(dims, {part});
    for (const Dim *other : dim->parts)
      if (contains(others, other) || contains(others, dim)) {
        error(Code::E0305, call.args[i]->span,
              fmt::format("this part of `{}` carries more of it than `{}`", dim->name, part->name),
              "shape " + show(args[i].type));
        return Value::unknown();
      }
    all = unite(all, others);
  }
  all.push_back(dim);
  return {{*element, all}, std::nullopt};
}

} // namespace weft::sema
