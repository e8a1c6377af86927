// `x[…]`: renaming, splitting and merging dimensions, and picking positions along them.
#include "frontend/check/body/Body.h"
#include "frontend/source/Spelling.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

const Dim *BodyChecker::dim(const ast::Name &name, Place place) {
  return findDim(module, name, place.dims);
}

void BodyChecker::single(const Dim *dim, std::string why) {
  if (dim->kind == Dim::Kind::parameter)
    fn.single.try_emplace(dim, std::move(why));
}

std::optional<Dims> BodyChecker::group(const ast::Group &group, Place place) {
  Dims dims;
  bool known = true;
  for (const ast::Name &name : group.dims)
    if (const Dim *found = dim(name, place))
      dims.push_back(found);
    else
      known = false;
  return known ? std::optional(dims) : std::nullopt;
}

bool BodyChecker::has(std::string_view verb, const ast::Name &name, const Dim *dim,
                      const Value &value, const ast::Expr &expr) {
  if (contains(value.type.dims, dim))
    return true;
  std::vector<std::string> known;
  for (const Dim *other : value.type.dims)
    if (!other->isRest())
      known.push_back(other->name);
  auto &problem = error(Code::E0304, name.span,
                        fmt::format("cannot {} `{}`: the value does not have it", verb, name.text))
                      .label(expr.span, "shape " + show(value.type));
  auto sameSize =
      std::find_if(value.type.dims.begin(), value.type.dims.end(), [&](const Dim *other) {
        return !other->isRest() && !dim->broken && other->size == dim->size;
      });
  if (!module.suggest(problem, name, known) && sameSize != value.type.dims.end())
    problem.suggest(fmt::format("it has `{}`, which is as long", (*sameSize)->name))
        .replace(name.span, (*sameSize)->name);
  if (problem.help.empty())
    problem.suggest(value.type.dims.empty() ? "it is a single number"
                                            : "it has no dimension that has a name here");
  return false;
}

Value BodyChecker::index(const ast::Index &index, Place place, const ast::Name *label) {
  Value value = expr(*index.base, place, label);
  bool known = value.known();
  for (const ast::Pick &pick : index.picks) {
    bool fine = true;
    if (auto *as = std::get_if<ast::Rename>(&pick))
      fine = rename(index, *as, value, place);
    else
      fine = at(index, std::get<ast::At>(pick), value, place);
    if (!fine)
      known = value.type.known = false; // the others are still read, for their own errors
  }
  if (!known)
    return Value::unknown();
  return value;
}

bool BodyChecker::rename(const ast::Index &index, const ast::Rename &rename, Value &value,
                         Place place) {
  std::optional<Dims> from = group(rename.from, place), to = group(rename.to, place);
  if (!from || !to || !value.known())
    return false;
  for (size_t i = 0; i < from->size(); ++i)
    if (!has("rename", rename.from.dims[i], (*from)[i], value, *index.base))
      return false;
  Dims rest = without(value.type.dims, *from);
  for (size_t i = 0; i < to->size(); ++i)
    if (contains(rest, (*to)[i])) {
      error(Code::E0305, rename.to.dims[i].span,
            fmt::format("the value already has a dimension `{}`", rename.to.dims[i].text))
          .label(index.base->span, "shape " + show(value.type))
          .suggest(fmt::format("declare another name for it: `dim {0}2 = {1}`",
                               rename.to.dims[i].text,
                               show(to->size() == 1 ? product(*from) : (*to)[i]->size)));
      return false;
    }
  if (!sizesAgree(rename, *from, *to))
    return false;
  Dims &dims = value.type.dims;
  size_t where = std::find(dims.begin(), dims.end(), from->front()) - dims.begin();
  size_t before = 0; // of those that stay
  for (size_t i = 0; i < where; ++i)
    before += !contains(*from, dims[i]);
  dims = std::move(rest);
  dims.insert(dims.begin() + before, to->begin(), to->end());
  return true;
}

bool BodyChecker::sizesAgree(const ast::Rename &rename, const Dims &from, const Dims &to) {
  if (anyBroken(from) || anyBroken(to))
    return true; // said where the equation stands
  Size before = product(from), after = product(to);
  if (before == after && !before.isUndefined())
    return true;
  auto &problem =
      error(Code::E0311, rename.to.span, "the sizes are not known to agree", "size " + show(after))
          .label(rename.from.span, "size " + show(before));
  std::vector<std::string> free; // undefined ones can still be given an equation
  auto times = [](const Dims &dims, const char *sign) {
    std::string text;
    for (const Dim *dim : dims)
      text += (text.empty() ? "" : sign) + dim->name;
    return text;
  };
  /// Whether `others` could define it: it has no equation yet, and is not what the sizes of the
  /// others are made of.
  auto canDefine = [](const Dim *dim, const Dims &others) {
    std::vector<std::string> atoms = product(others).dims();
    return dim->kind == Dim::Kind::file && !dim->defined && !dim->bound &&
           std::find(atoms.begin(), atoms.end(), dim->size.str()) == atoms.end();
  };
  if (Dims others(to.begin(), to.end() - 1);
      canDefine(to.back(), from) && canDefine(to.back(), others)) {
    problem.suggest(fmt::format("define one size by the others: `dim {} = {}{}`", to.back()->name,
                                times(from, " * "),
                                others.empty() ? "" : " / " + times(others, " / ")));
    problem.replace(to.back()->place,
                    fmt::format("{} = {}{}", to.back()->name, times(from, " * "),
                                others.empty() ? "" : " / " + times(others, " / ")));
  } else if (from.size() == 1 && canDefine(from.front(), to)) {
    problem.suggest(fmt::format("define one size by the others: `dim {} = {}`", from.front()->name,
                                times(to, " * ")));
  } else if (to.size() == 1 && to != from) {
    problem.suggest(fmt::format("declare a dimension of this size: `dim {}2 = {}`",
                                to.front()->name, times(from, " * ")));
  } else {
    problem.suggest("both sides must have one product of sizes, by their equations");
  }
  return false;
}

bool BodyChecker::at(const ast::Index &index, const ast::At &at, Value &value, Place place) {
  const Dim *along = dim(at.dim, place);
  bool present = along && value.known() && has("index", at.dim, along, value, *index.base);
  if (auto *variable = at.index->as<ast::Variable>())
    if (const Dim *part = place.dims.find(variable->name.text)) {
      module.mean(variable->name, part);
      return present && pickPart(at, along, part, variable->name, value);
    }
  if (auto *variable = at.index->as<ast::Variable>(); variable && present && !along->parts.empty())
    if (!place.values.find(variable->name.text) && !fixedValue(variable->name))
      return notAPart(along, variable->name);
  Value picked = expr(*at.index, place);
  if (!present || !picked.known())
    return false;
  if (!inside(picked, along)) {
    outside(*at.index, picked, along, at.dim.span);
    return false;
  }
  value.type.dims = unite(without(value.type.dims, {along}), picked.type.dims);
  value.ranges.clear();
  return true;
}

bool BodyChecker::pickPart(const ast::At &at, const Dim *whole, const Dim *part,
                           const ast::Name &name, Value &value) {
  if (contains(whole->parts, part)) {
    if (contains(value.type.dims, part)) {
      error(Code::E0305, name.span,
            fmt::format("the value already has a dimension `{}`", part->name))
          .label(at.dim.span, "shape " + show(value.type))
          .suggest(fmt::format("rename that one first: `...[{0} as {0}2]`", part->name));
      return false;
    }
    std::replace(value.type.dims.begin(), value.type.dims.end(), whole, part);
    return true;
  }
  if (whole->broken)
    return false;
  return notAPart(whole, name);
}

bool BodyChecker::notAPart(const Dim *whole, const ast::Name &name) {
  std::vector<std::string> parts;
  for (const Dim *other : whole->parts)
    parts.push_back(other->name);
  auto &problem = error(
      Code::E0208, name.span, fmt::format("`{}` is not a part of `{}`", name.text, whole->name),
      parts.empty() ? fmt::format("`{}` has no parts", whole->name)
                    : fmt::format("the parts are `{}`", fmt::join(parts, "`, `")));
  if (parts.empty())
    problem.suggest(
        fmt::format("for the position of each: `{} = index({})`", whole->name, name.text));
  else
    module.suggest(problem, name, parts);
  return false;
}

bool BodyChecker::inside(const Value &value, const Dim *dim) const {
  Element element = value.type.element;
  if (element == Element::index(dim) || dim->broken)
    return true;
  if (element.isBool() || element.isReal())
    return false;
  IndexRanges ranges = rangesOf(value);
  if (ranges.empty())
    return element.isIndex(); // of a broken dimension
  if (fits(ranges, dim->size, module.bounds()))
    return true;
  // A written position is settled when the size is known.
  std::optional<Size> only = exact(ranges);
  std::optional<int64_t> position = only ? only->constant() : std::nullopt;
  return position && *position >= 0 && !dim->size.dims().empty();
}

void BodyChecker::outside(const ast::Expr &expr, const Value &value, const Dim *dim,
                          Span dimPlace) {
  Element element = value.type.element;
  if (element.isBool() || element.isReal()) {
    auto &problem =
        error(Code::E0306, expr.span,
              fmt::format("`{}` cannot be indexed by `{}` values", dim->name, show(element)),
              "holds " + showWithElement(value.type))
            .label(dimPlace, fmt::format("needs indices into `{}`", dim->name));
    suggestElement(problem, expr, element, Element::index(dim));
    return;
  }
  std::string cut = fmt::format("clamp[{}]({})", dim->name, quote(expr));
  if (element.isIndex()) {
    auto &problem =
        error(Code::E0306, expr.span,
              fmt::format("`{}` cannot be indexed by `{}` values", dim->name, element.dim->name),
              "holds " + showWithElement(value.type))
            .label(dimPlace, fmt::format("needs indices into `{}`", dim->name));
    bool canBound = element.dim->kind == Dim::Kind::file && !element.dim->defined &&
                    !element.dim->bound && dim->kind == Dim::Kind::file;
    if (canBound && expr.is<ast::Call>()) {
      std::string bound = fmt::format("{} <= {}", element.dim->name, dim->name);
      problem
          .suggest(
              fmt::format("if `{}` is never larger, say so: `dim {}`", element.dim->name, bound))
          .replace(element.dim->place, bound);
      return;
    }
    problem.suggest(fmt::format("if it is meant, cut it to the range: `{}`", cut));
    if (quote(expr) != "...")
      problem.replace(expr.span, cut);
    return;
  }
  IndexRanges ranges = rangesOf(value);
  auto &problem =
      error(Code::E0310, expr.span,
            fmt::format("this index is not known to stay inside `{}`", dim->name), show(ranges))
          .label(dimPlace, "size " + show(dim->size));
  std::optional<Size> only = exact(ranges);
  std::optional<int64_t> position = only ? only->constant() : std::nullopt;
  std::optional<int64_t> size = dim->size.constant();
  if (position && size && *position >= *size) {
    problem.suggest(fmt::format("the last position is {}", *size - 1))
        .replace(expr.span, std::to_string(*size - 1));
    return;
  }
  if (position && *position < 0) {
    std::string fromEnd = fmt::format("clamp[{0}](size({0}) - {1})", dim->name, -*position);
    problem.suggest(fmt::format("positions count from 0; from the end it is `{}`", fromEnd))
        .replace(expr.span, fromEnd);
    return;
  }
  problem.suggest(fmt::format("cut it to the range: `{}`", cut));
  if (quote(expr) != "...")
    problem.replace(expr.span, cut);
}

} // namespace weft::sema
