// Primitives that drop, add or join dimensions: reductions, `top`, `where`, `stack`, `concat`.
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

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
    error(Code::E0307, call.callee.span, fmt::format("`{}` is reduced twice", twice->name))
        .suggest("leave one of them out");
    return Value::unknown();
  }
  // Over no positions `max` is the lowest number, which is no index.
  Element element = x.type.element.isReal() ? Element::real() : Element::integer();
  return {{element, without(x.type.dims, all)}, {}};
}

Value BodyChecker::top(const ast::Call &call, const Dim *count, const Dim *along, const Value &x) {
  const ast::Name &countName = call.dims[0].dims[0], &alongName = call.dims[1].dims[0];
  if (!has("take the top of", alongName, along, x, *call.args[0]))
    return Value::unknown();
  Dims rest = without(x.type.dims, {along});
  if (contains(rest, count)) {
    error(Code::E0305, countName.span,
          fmt::format("the value already has a dimension `{}`", count->name))
        .label(call.args[0]->span, "shape " + show(x.type))
        .suggest(fmt::format("count along another one: `dim pick = ...`, `top[pick, {}](...)`",
                             along->name));
    return Value::unknown();
  }
  std::optional<int64_t> wanted = count->size.constant(), available = along->size.constant();
  if (wanted && available && *wanted > *available)
    error(Code::E0311, countName.span,
          fmt::format("`{}` has {} positions, the top {} are asked for", along->name, *available,
                      *wanted))
        .suggest(
            fmt::format("ask for at most {}: `dim {} = {}`", *available, count->name, *available));
  rest.push_back(count);
  return {{Element::index(along), rest}, {}};
}

/// The element that all arguments from `start` on widen to; empty after an error.
std::optional<Element> BodyChecker::commonElement(const ast::Call &call,
                                                  const std::vector<Value> &args, size_t start) {
  Element element = args[start].type.element;
  for (size_t i = start + 1; i < args.size(); ++i) {
    std::optional<Element> both = common(element, args[i].type.element);
    if (!both) {
      const ast::Expr &wrong = *call.args[element.isBool() ? start : i];
      auto &problem =
          error(Code::E0313, call.args[i]->span,
                fmt::format("`{}` joins a condition and a number", call.callee.text),
                show(args[i].type))
              .label(call.args[start]->span, show(args[start].type))
              .suggest(fmt::format("`where({}, 1, 0)` counts a condition", quote(wrong)));
      if (quote(wrong) != "...")
        problem.replace(wrong.span, fmt::format("where({}, 1, 0)", quote(wrong)));
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
    std::string text = quote(*call.args[0]);
    problem.suggest(fmt::format("compare it: `{} != 0`", text));
    if (text != "...")
      problem.replace(call.args[0]->span, fmt::format("{} != 0", text));
    return Value::unknown();
  }
  std::optional<Element> element = commonElement(call, args, 1);
  if (!element)
    return Value::unknown();
  Value out{{*element, unite(args[0].type.dims, unite(args[1].type.dims, args[2].type.dims))}, {}};
  out.ranges = sema::either(rangesOf(args[1]), rangesOf(args[2]), module.bounds());
  return out;
}

/// Values side by side along `dim`: with whatever each has besides it, which `others` finds.
Value BodyChecker::joined(const ast::Call &call, const Dim *dim, const std::vector<Value> &args,
                          const std::function<std::optional<Dims>(size_t)> &others) {
  std::optional<Element> element = commonElement(call, args, 0);
  Dims all;
  for (size_t i = 0; element && i < args.size(); ++i) {
    std::optional<Dims> own = others(i);
    if (!own)
      return Value::unknown();
    all = unite(all, *own);
  }
  if (!element)
    return Value::unknown();
  all.push_back(dim);
  return {{*element, all}, {}};
}

Value BodyChecker::stack(const ast::Call &call, const Dim *dim, const std::vector<Value> &args) {
  const ast::Name &name = call.dims[0].dims[0];
  bool isFree = dim->kind == Dim::Kind::file && !dim->defined;
  Size count = Size::number(static_cast<int64_t>(args.size()));
  if (dim->size != count && !isFree && !dim->broken) {
    auto &problem =
        error(Code::E0311, name.span, fmt::format("`{}` is not {} long", name.text, args.size()),
              "size " + show(dim->size))
            .suggest(fmt::format("stack along a dimension that is: `dim {}2 = {}`", name.text,
                                 args.size()));
    if (dim->kind != Dim::Kind::parameter)
      problem.label(dim->place, "declared here");
    return Value::unknown();
  }
  return joined(call, dim, args, [&](size_t i) -> std::optional<Dims> {
    if (!contains(args[i].type.dims, dim))
      return args[i].type.dims;
    error(Code::E0305, call.args[i]->span,
          fmt::format("the value already has a dimension `{}`", dim->name),
          "shape " + show(args[i].type))
        .suggest("stack along a new one, or join along parts: `concat[d](a, b)`");
    return std::nullopt;
  });
}

/// `a` and `b`: what `dim` is made of.
static std::string partNames(const Dim *dim) {
  std::string names;
  for (const Dim *part : dim->parts)
    names += fmt::format("{}`{}`", names.empty() ? "" : " and ", part->name);
  return names;
}

void BodyChecker::wrongParts(const ast::Name &name, const Dim *dim,
                             const std::vector<Value> &args) {
  if (!dim->parts.empty()) {
    error(Code::E0314, name.span,
          fmt::format("`{}` has {} parts, not {}", name.text, dim->parts.size(), args.size()))
        .label(dim->place, "made of " + partNames(dim))
        .suggest(fmt::format("join one value for each part: {}", dim->parts.size()));
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
  for (const auto &[def, declared] : module.tree.dimDefs)
    if (declared == dim && guessed)
      problem.replace(def->span, equation);
}

Value BodyChecker::concat(const ast::Call &call, const Dim *dim, const std::vector<Value> &args) {
  if (dim->broken)
    return Value::unknown();
  if (dim->parts.size() != args.size()) {
    wrongParts(call.dims[0].dims[0], dim, args);
    return Value::unknown();
  }
  return joined(call, dim, args, [&](size_t i) { return besidePart(call, dim, args, i); });
}

std::optional<Dims> BodyChecker::besidePart(const ast::Call &call, const Dim *dim,
                                            const std::vector<Value> &args, size_t i) {
  const Dims &dims = args[i].type.dims;
  const Dim *part = dim->parts[i];
  if (!contains(dims, part)) {
    error(Code::E0304, call.args[i]->span,
          fmt::format("this part of `{}` must carry `{}`", dim->name, part->name),
          "shape " + show(args[i].type))
        .suggest(fmt::format("`{}` is made of {}, in this order", dim->name, partNames(dim)));
    return std::nullopt;
  }
  Dims others = without(dims, {part}), taken = dim->parts;
  taken.push_back(dim);
  for (const Dim *other : taken)
    if (contains(others, other)) {
      error(Code::E0305, call.args[i]->span,
            fmt::format("this part of `{}` carries more of it than `{}`", dim->name, part->name),
            "shape " + show(args[i].type))
          .suggest(fmt::format("reduce it, or take a position: `...[{} = 0]`", other->name));
      return std::nullopt;
    }
  return others;
}

} // namespace weft::sema
