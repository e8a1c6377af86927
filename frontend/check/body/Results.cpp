// One body from its signature to its result.
#include "frontend/builtin/Minimize.h"
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>
#include <utility>

namespace weft::sema {

void BodyChecker::run() {
  naming = &fn.naming;
  enclosing = {naming};
  Environment values;
  for (const ArgInfo &arg : fn.signature.args)
    if (!arg.isStatic) {
      values.bind(arg.variable, {arg.type, {}});
      naming->values[arg.name] = {arg.variable, arg.type};
    }
  checkDefaults();
  demands(fn.syntax->annotations);
  DimScope dims(&fn.dims);
  bool single = fn.syntax->result.has_value();
  std::optional<Ending> ending = body(fn.syntax->body, dims, values, single);
  if (single)
    result(ending);
  for (const auto &[result, wanted] : fn.signature.results)
    namedResult(*result, wanted, values);
}

void BodyChecker::runOptimizer(const ast::Expr &call) {
  naming = &fn.naming;
  enclosing = {naming};
  filled.insert(std::begin(filledByMinimize), std::end(filledByMinimize));
  Environment values;
  expr(call, {fn.dims, values});
}

void checkBody(Module &module, FunctionInfo &fn) {
  BodyChecker(module, fn).run();
}

/// A default stands for the argument where a call leaves it out.
void BodyChecker::checkDefaults() {
  Environment values;
  for (const ArgInfo &arg : fn.signature.args)
    if (!arg.isStatic)
      values.bind(arg.variable, {arg.type, {}});
  for (const ArgInfo &arg : fn.signature.args) {
    if (arg.isStatic || !arg.hasDefault || fn.kind == ast::FnKind::entry)
      continue;
    const ast::Expr &written = *arg.syntax->value;
    Value value = expr(written, {fn.dims, values, /*constant=*/true});
    if (!value.known() || !arg.type.known)
      continue;
    Matching matching(fn);
    if (!fitsElement(written, value, arg, arg.type.element, matching))
      continue;
    Dims named;
    for (const Dim *dim : arg.type.dims)
      if (!dim->isRest())
        named.push_back(dim);
    Dims extra = without(value.type.dims, named);
    Dims missing = without(without(named, value.type.dims), arg.optional);
    if (!extra.empty() || !missing.empty())
      wrongShape(written, value, arg, named, missing, extra, matching);
  }
}

void BodyChecker::result(const std::optional<Ending> &ending) {
  const ast::Function &syntax = *fn.syntax;
  if (ending)
    return matchResult(ending->value, ending->expr, ending->expr->span, fn.signature.result,
                       syntax.result->span);
  const ast::List<ast::Stmt> &stmts = syntax.body.stmts;
  auto *let = stmts.empty() ? nullptr : stmts.back().as<ast::Let>();
  auto &problem = error(Code::E0301, stmts.empty() ? syntax.name.span : stmts.back().span,
                        "the body ends without a value")
                      .label(syntax.result->span, "declared result " + show(fn.signature.result));
  if (let)
    problem.suggest(fmt::format("end with the value: `{}`", quote(*let->value)))
        .replace(stmts.back().span, quote(*let->value));
  else if (!stmts.empty() && stmts.back().as<ast::If>())
    problem.suggest("let both branches end with a value");
  else if (auto *loop = stmts.empty() ? nullptr : stmts.back().as<ast::Repeat>();
           loop && !loop->body.stmts.empty() && loop->body.stmts.back().as<ast::Let>()) {
    const std::string &carried = loop->body.stmts.back().as<ast::Let>()->name.text;
    Span end{stmts.back().span.file, stmts.back().span.end, stmts.back().span.end};
    problem.suggest(fmt::format("the last line of a body is its value: `{}`", carried))
        .replace(end, "\n  " + carried);
  } else
    problem.suggest("the last line of a body is its value");
}

void BodyChecker::namedResult(const ast::Result &result, const Type &wanted,
                              const Environment &values) {
  const Value *value = values.find(result.name.text);
  if (value) {
    module.mean(result.name, values.variable(result.name.text));
    const ast::Expr *last = lastValue(fn.syntax->body, result.name);
    return matchResult(*value, last, last ? last->span : result.name.span, wanted,
                       result.type.span);
  }
  error(Code::E0301, result.name.span,
        fmt::format("the result `{}` is never bound", result.name.text))
      .suggest(fmt::format("`{} = ...` in the body", result.name.text));
}

const ast::Expr *BodyChecker::lastValue(const ast::Body &body, const ast::Name &name) {
  for (auto stmt = body.stmts.rbegin(); stmt != body.stmts.rend(); ++stmt)
    if (auto *let = stmt->as<ast::Let>(); let && let->name.text == name.text)
      return let->value.get();
  return nullptr;
}

void BodyChecker::matchResult(const Value &found, const ast::Expr *expr, Span place,
                              const Type &wanted, Span declared) {
  if (!found.known() || !wanted.known)
    return;
  const Type &type = found.type;
  bool fits = widens(type.element, wanted.element) ||
              (wanted.element.isIndex() && inside(found, wanted.element.dim));
  if (!fits) {
    auto &problem = error(Code::E0301, place, "the body does not have the declared element",
                          "this holds " + show(type))
                        .label(declared, "declared " + show(wanted));
    if (expr)
      suggestElement(problem, *expr, type.element, wanted.element);
    else
      problem.suggest(fmt::format("it must hold `{}`", show(wanted.element)));
    return;
  }
  Dims extra = beyond(type.dims, wanted.dims), missing = beyond(wanted.dims, type.dims);
  if ((extra.empty() && missing.empty()) || anyBroken(extra) || anyBroken(missing))
    return;
  std::vector<std::pair<std::string, std::string>> columns;
  bool rest = false;
  for (const Dim *dim : unite(wanted.dims, type.dims)) {
    if (dim->isRest() && std::exchange(rest, true))
      continue; // all `..` are one column
    columns.emplace_back(covers(wanted.dims, dim) ? name(dim) : "",
                         covers(type.dims, dim) ? name(dim) : "");
  }
  auto &problem = error(Code::E0301, place, "the body does not have the declared shape",
                        "this has shape " + show(type))
                      .label(declared, "declared result " + show(wanted))
                      .note(alignShapes(columns));
  bool bringsRest = extra.size() == 1 && extra.front()->isRest() && missing.empty();
  if (bringsRest && fn.kind != ast::FnKind::entry) {
    ast::Type open;
    open.element = fn.syntax->result->element;
    open.dims = fn.syntax->result->dims;
    open.rest = declared;
    std::string better = quote(open, "");
    problem.suggest(fmt::format("let the result have what the arguments bring: `{}`", better))
        .replace(declared, better);
    return;
  }
  suggestResult(problem, expr, place, extra, missing);
}

void BodyChecker::suggestResult(Diagnostic &problem, const ast::Expr *expr, Span place,
                                const Dims &extra, const Dims &missing) {
  bool named = true;
  for (const Dims *dims : {&extra, &missing})
    for (const Dim *dim : *dims)
      named &= !dim->isRest();
  std::string text = expr ? quote(*expr) : "...";
  if (missing.empty() && named) {
    std::string better = fmt::format("sum[{}]({})", quoteGroup(extra), text);
    std::vector<std::string> names;
    for (const Dim *dim : extra)
      names.push_back(name(dim));
    bool one = names.size() == 1;
    problem.suggest(fmt::format("`{}` {} still there: reduce {}, e.g. `{}`",
                                fmt::join(names, "`, `"), one ? "is" : "are", one ? "it" : "them",
                                better));
    if (text != "...")
      problem.replace(place, better);
    return;
  }
  if (extra.size() == 1 && missing.size() == 1 && named &&
      extra.front()->size == missing.front()->size) {
    std::string base = expr ? quotePrimary(*expr) : "...";
    std::string better =
        fmt::format("{}[{} as {}]", base, name(extra.front()), name(missing.front()));
    problem.suggest(fmt::format("rename it: `{}`", better));
    if (base != "...")
      problem.replace(place, better);
    return;
  }
  if (extra.size() == 1 && missing.size() == 1 && named) {
    problem.suggest(fmt::format("if they are the same axis, say so, `dim {0} = {1}`, and rename: "
                                "`{2}[{1} as {0}]`",
                                name(missing.front()), name(extra.front()),
                                expr ? quotePrimary(*expr) : "..."));
    return;
  }
  if (!missing.empty() && extra.empty() && named) {
    std::string better = fmt::format("expand[{}]({})", quoteGroup(missing), text);
    problem.suggest(fmt::format("nothing here carries `{}`; if it is the same all along: `{}`",
                                name(missing.front()), better));
    if (text != "...")
      problem.replace(place, better);
    return;
  }
  problem.suggest(named ? "`as` renames, `sum[d](...)` reduces, `expand[d](...)` widens"
                        : "name every dimension in the result, or let `..` stand for all of them");
}

} // namespace weft::sema
