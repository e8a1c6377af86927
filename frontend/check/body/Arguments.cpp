// Arguments: each against the declared type, in the dimensions of the caller.
#include "frontend/check/body/Body.h"
#include "frontend/source/Spelling.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

static std::string plural(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// `softmax[d](x: [.., d])`: how a function is called.
static std::string form(const FunctionInfo &fn) {
  std::string dims, args;
  for (const Dim *dim : fn.signature.dims)
    dims += (dims.empty() ? "" : ", ") + dim->name;
  for (const ArgInfo &arg : fn.signature.args) {
    args += args.empty() ? "" : ", ";
    args += arg.isStatic ? fmt::format("{} = {}", arg.name, quote(*arg.syntax->value))
                         : fmt::format("{}: {}", arg.name,
                                       arg.syntax ? quote(*arg.syntax->type, "") : show(arg.type));
  }
  return fmt::format("`{}{}({})`", fn.name, dims.empty() ? "" : "[" + dims + "]", args);
}

/// `softmax[d](x)`: a call of it with all that it needs.
static std::string example(const FunctionInfo &fn) {
  std::vector<std::string> dims, args;
  for (const Dim *dim : fn.signature.dims)
    dims.push_back(dim->name);
  for (const ArgInfo &arg : fn.signature.args)
    if (!arg.hasDefault)
      args.push_back(arg.name);
  return fmt::format("call it as `{}{}{}{}({})`", fn.name, dims.empty() ? "" : "[",
                     fmt::join(dims, ", "), dims.empty() ? "" : "]", fmt::join(args, ", "));
}

bool BodyChecker::fillSlots(const ast::Call &call, const std::vector<Dims> &groups,
                            Matching &matching) {
  const Signature &signature = matching.callee.signature;
  const std::string &callee = call.callee.text;
  if (groups.size() != signature.dims.size()) {
    auto &problem = error(Code::E0307, call.callee.span,
                          fmt::format("`{}` takes {}, got {}", callee,
                                      plural(signature.dims.size(), "dimension"), groups.size()))
                        .note("declared as " + form(matching.callee))
                        .suggest(example(matching.callee));
    if (size_t slots = signature.dims.size(); slots > 0 && groups.size() > slots) {
      // The last slot is the one that is most often several: `Linear[model, (head, dh)]`.
      Dims last;
      for (size_t i = slots - 1; i < groups.size(); ++i)
        last.insert(last.end(), groups[i].begin(), groups[i].end());
      problem
          .suggest(fmt::format("several dimensions fill one slot in parentheses: `{}`",
                               quoteGroup(last)))
          .replace(join(call.dims[slots - 1].span, call.dims.back().span), quoteGroup(last));
    }
    return false;
  }
  for (size_t i = 0; i < groups.size(); ++i) {
    const Dim *slot = signature.dims[i];
    matching.dims[slot] = groups[i];
    bool isIndexed = signature.result.element == Element::index(slot);
    for (const ArgInfo &arg : signature.args)
      isIndexed |= arg.type.element == Element::index(slot);
    auto one = matching.callee.single.find(slot);
    if (!isIndexed && one == matching.callee.single.end())
      continue;
    std::string why = isIndexed ? "it is indexed" : one->second;
    if (groups[i].size() == 1) {
      single(groups[i].front(), why);
      continue;
    }
    error(Code::E0307, call.dims[i].span,
          fmt::format("`{}` of `{}` is one dimension, for {}", slot->name, callee, why))
        .suggest("merge them first: `x[(a, b) as c]` with `dim c = a * b`");
    return false;
  }
  return true;
}

void BodyChecker::unknownArgument(const ast::Call &call, const ast::Name &name,
                                  const FunctionInfo &callee) {
  std::vector<std::string> known;
  for (const ArgInfo &arg : callee.signature.args)
    known.push_back(arg.name);
  auto &problem = error(Code::E0308, name.span,
                        fmt::format("`{}` has no argument `{}`", call.callee.text, name.text))
                      .note("declared as " + form(callee))
                      .suggest("leave it out");
  module.suggest(problem, name, known);
}

std::vector<const ast::Expr *> BodyChecker::assign(const ast::Call &call, Matching &matching,
                                                   Place place) {
  const std::vector<ArgInfo> &args = matching.callee.signature.args;
  const std::string &callee = call.callee.text;
  std::vector<const ast::Expr *> given(args.size());
  BoundCall &bound = module.tree.calls[&call];
  bound = {&matching.callee, {}};
  size_t taken = 0;
  for (size_t i = 0; i < args.size() && taken < call.args.size(); ++i)
    if (!filled.count(args[i].name)) {
      given[i] = call.args[taken++].get();
      bound.given.push_back({&args[i], given[i]});
    }
  for (size_t i = taken; i < call.args.size(); ++i) {
    if (i == taken)
      error(
          Code::E0308, call.args[i]->span,
          fmt::format("`{}` takes {}, got {}", callee, plural(taken, "argument"), call.args.size()),
          "unexpected")
          .note("declared as " + form(matching.callee))
          .suggest(example(matching.callee));
    expr(*call.args[i], place);
    matching.known = false;
  }
  std::vector<std::string> names;
  for (const ArgInfo &arg : args)
    names.push_back(arg.name);
  for (const ast::NamedArg &named : call.named) {
    auto it = std::find(names.begin(), names.end(), named.name.text);
    if (filled.count(named.name.text)) {
      error(Code::E0308, named.name.span,
            fmt::format("`{}` of `{}` is filled by `minimize`", named.name.text, callee))
          .suggest("leave it out");
      continue;
    }
    if (it != names.end() && !given[it - names.begin()]) {
      given[it - names.begin()] = named.value.get();
      const ArgInfo &arg = args[it - names.begin()];
      bound.given.push_back({&arg, named.value.get()});
      if (arg.isStatic)
        module.mean(named.name, &arg);
      else if (arg.variable)
        module.mean(named.name, arg.variable);
      if (matching.slot)
        matching.slot->named.insert(named.name.text);
      continue;
    }
    if (it != names.end())
      error(Code::E0308, named.name.span,
            fmt::format("`{}` of `{}` is given twice", named.name.text, callee))
          .label(given[it - names.begin()]->span, "first")
          .suggest("leave one of them out");
    else
      unknownArgument(call, named.name, matching.callee);
    expr(*named.value, place);
    matching.known = false;
  }
  std::vector<std::string> missing;
  for (size_t i = 0; i < args.size(); ++i) {
    if (given[i] && args[i].isStatic && matching.slot)
      matching.slot->named.insert(args[i].name);
    if (!given[i] && !args[i].hasDefault && !filled.count(args[i].name))
      missing.push_back(args[i].name);
  }
  if (missing.empty())
    return given;
  error(Code::E0308, call.callee.span,
        fmt::format("missing argument{} `{}` of `{}`", missing.size() == 1 ? "" : "s",
                    fmt::join(missing, "` and `"), callee))
      .note("declared as " + form(matching.callee))
      .suggest(example(matching.callee));
  matching.known = false;
  return given;
}

void BodyChecker::matchStatic(const ast::Expr &expr, const ArgInfo &arg, Matching &matching,
                              Place place) {
  Static value = evaluate(module, expr, staticPlace(place));
  if (value.kind == Static::Kind::unknown || arg.fallback.kind == Static::Kind::unknown)
    return;
  const std::string &callee = matching.callee.name;
  if (value.kind != arg.fallback.kind) {
    error(Code::E0316, expr.span,
          fmt::format("argument `{}` of `{}` takes {}", arg.name, callee,
                      describe(arg.fallback.kind)),
          fmt::format("this is {}", describe(value.kind)))
        .suggest(fmt::format("something like its default: `{} = {}`", arg.name,
                             quote(*arg.syntax->value)));
    return;
  }
  if (!checkWhole(module, expr, value, arg.fallback, *arg.syntax->value) || !value.isFunction())
    return;
  matching.passed.push_back(value.fn);
  module.passed[{&matching.callee, arg.name}].insert(value.fn);
  auto use = matching.callee.slots.find(arg.name);
  std::string why = mismatch(*arg.fallback.fn, *value.fn,
                             use == matching.callee.slots.end() ? SlotUse{} : use->second);
  if (!why.empty())
    error(Code::E0316, expr.span,
          fmt::format("`{}` cannot be the `{}` of `{}`", value.fn->name, arg.name, callee), why)
        .suggest(alternatives(module, *arg.fallback.fn,
                              use == matching.callee.slots.end() ? SlotUse{} : use->second,
                              fn.library));
}

void BodyChecker::matchData(const ast::Expr &expr, const ArgInfo &arg, Matching &matching,
                            Place place) {
  Value value = this->expr(expr, place);
  if (!value.known() || !arg.type.known || !matching.slotsFilled) {
    matching.known = false;
    return;
  }
  Type wanted = substitute(matching.dims, arg.type);
  Dims optional = substitute(matching.dims, arg.optional), named;
  for (const Dim *dim : wanted.dims)
    if (dim != arg.rest)
      named.push_back(dim);
  if (const Dim *twice = repeated(named)) {
    error(Code::E0307, expr.span,
          fmt::format("argument `{}` of `{}` would need `{}` twice", arg.name, matching.callee.name,
                      name(twice)))
        .suggest(
            fmt::format("fill one slot with another name for it: `dim {0}2 = {0}`", name(twice)));
    matching.known = false;
    return;
  }
  if (!fitsElement(expr, value, arg, wanted.element, matching))
    matching.known = false;
  Dims extra = without(value.type.dims, named);
  Dims missing = without(without(named, value.type.dims), optional);
  if (!missing.empty() || (!extra.empty() && !arg.rest)) {
    wrongShape(expr, value, arg, named, missing, extra, matching);
    matching.known = false;
    return;
  }
  for (const Dim *dim : extra)
    if (matching.speaksOf(dim)) {
      const std::string &callee = matching.callee.name;
      auto &problem =
          error(Code::E0309, expr.span,
                fmt::format("argument `{}` of `{}` brings `{}`, which `{}` uses for itself",
                            arg.name, callee, dim->name, callee),
                "shape " + show(value.type));
      if (arg.syntax && !matching.callee.library) {
        std::string type = quote(*arg.syntax->type, dim->name + "?");
        problem.suggest(fmt::format("let the argument say so: `{}: {}`", arg.name, type))
            .replace(arg.syntax->type->span, type);
      }
      matching.known = false;
      return;
    }
  if (arg.rest)
    matching.dims[arg.rest] = extra;
}

bool BodyChecker::fitsElement(const ast::Expr &expr, const Value &value, const ArgInfo &arg,
                              Element wanted, const Matching &matching) {
  Element found = value.type.element;
  if (widens(found, wanted) || (wanted.isIndex() && inside(value, wanted.dim)))
    return true;
  auto &problem = error(Code::E0306, expr.span,
                        fmt::format("argument `{}` of `{}` must hold `{}`", arg.name,
                                    matching.callee.name, show(wanted)),
                        "holds " + showWithElement(value.type));
  suggestElement(problem, expr, found, wanted);
  return false;
}

void BodyChecker::suggestElement(Diagnostic &problem, const ast::Expr &expr, Element found,
                                 Element wanted) {
  std::string better = quote(expr);
  bool canPaste = better != "...";
  if (wanted.isBool())
    better += " != 0";
  else if (found.isBool())
    better = fmt::format("where({}, 1, 0)", better);
  else if (found.isReal())
    better = fmt::format("floor({})", better);
  if (wanted.isIndex())
    better = fmt::format("clamp[{}]({})", wanted.dim->name, better);
  problem.suggest(fmt::format("if it is meant: `{}`", better));
  if (canPaste)
    problem.replace(expr.span, better);
}

void BodyChecker::wrongShape(const ast::Expr &expr, const Value &value, const ArgInfo &arg,
                             const Dims &named, const Dims &missing, const Dims &extra,
                             const Matching &matching) {
  // What is missing may be there under another name: of the same size, else of a similar name.
  std::map<const Dim *, const Dim *> pairs;
  Dims over = extra;
  std::string renames;
  for (bool bySize : {true, false})
    for (const Dim *lacking : missing) {
      if (pairs.count(lacking))
        continue;
      auto it = std::find_if(over.begin(), over.end(), [&](const Dim *dim) {
        if (dim->isRest())
          return false;
        return bySize ? dim->size == lacking->size
                      : nearest(lacking->name, {dim->name}).has_value();
      });
      if (it == over.end())
        continue;
      pairs[lacking] = *it;
      if (bySize)
        renames +=
            fmt::format("{}{} as {}", renames.empty() ? "" : ", ", (*it)->name, lacking->name);
      over.erase(it);
    }

  std::vector<std::pair<std::string, std::string>> columns;
  auto listed = [](const Dims &dims) {
    std::string text = show(dims);
    return dims.empty() ? text : text.substr(1, text.size() - 2);
  };
  if (arg.rest)
    columns.emplace_back("..", listed(over));
  for (const Dim *dim : named) {
    auto pair = pairs.find(dim);
    bool present = contains(value.type.dims, dim);
    columns.emplace_back(name(dim), present               ? name(dim)
                                    : pair == pairs.end() ? ""
                                                          : name(pair->second));
  }
  if (!arg.rest)
    for (const Dim *dim : over)
      columns.emplace_back("", name(dim));
  auto &problem = error(Code::E0300, expr.span,
                        fmt::format("argument `{}` of `{}` has the wrong shape", arg.name,
                                    matching.callee.name),
                        "shape " + show(value.type))
                      .note(alignShapes(columns));
  suggestShape(problem, expr, missing, over, pairs, renames, arg.rest != nullptr);
}

void BodyChecker::suggestShape(Diagnostic &problem, const ast::Expr &expr, const Dims &missing,
                               const Dims &over, const std::map<const Dim *, const Dim *> &pairs,
                               const std::string &renames, bool hasRest) {
  std::string text = quotePrimary(expr);
  bool canPaste = text != "...";
  std::string better;
  if (!renames.empty()) {
    better = fmt::format("{}[{}]", text, renames);
    bool one = renames.find(',') == std::string::npos;
    auto first =
        std::find_if(missing.begin(), missing.end(), [&](auto *d) { return pairs.count(d); });
    problem.suggest(
        one ? fmt::format("rename `{}` to `{}`: `{}`", name(pairs.at(*first)), name(*first), better)
            : fmt::format("rename them: `{}`", better));
  } else if (missing.empty()) {
    better = fmt::format("mean[{}]({})", quoteGroup(over), quote(expr));
    problem.suggest(
        fmt::format("it has no place for `{}`: reduce it, e.g. `{}`", name(over.front()), better));
    canPaste &= std::none_of(over.begin(), over.end(), [](const Dim *d) { return d->isRest(); });
  } else if (pairs.empty() && (hasRest || over.empty())) {
    better = fmt::format("expand[{}]({})", quoteGroup(missing), quote(expr));
    problem.suggest(fmt::format("if it is the same all along: `{}`", better));
  } else {
    auto paired = std::find_if(missing.begin(), missing.end(),
                               [&](const Dim *dim) { return pairs.count(dim) != 0; });
    const Dim *lacking = paired == missing.end() ? missing.front() : *paired;
    auto free = std::find_if(over.begin(), over.end(), [](const Dim *d) { return !d->isRest(); });
    const Dim *brought = paired != missing.end() ? pairs.at(lacking)
                         : free != over.end()    ? *free
                                                 : nullptr;
    if (!brought) {
      problem.suggest(fmt::format("it must have `{}`", name(lacking)));
      return;
    }
    problem.suggest(fmt::format("if `{0}` and `{1}` are the same axis, say so, `dim {1} = {0}`, "
                                "and rename: `{2}[{0} as {1}]`",
                                name(brought), name(lacking), text));
    return;
  }
  if (canPaste)
    problem.replace(expr.span, better);
}

} // namespace weft::sema
