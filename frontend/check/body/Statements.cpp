// Statements: what a body declares, binds, repeats and chooses.
#include "frontend/check/body/Body.h"
#include "frontend/syntax/Mentions.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

const Environment::Bound *Environment::bound(std::string_view name) const {
  for (const Environment *values = this; values; values = values->outer)
    if (auto it = values->here.find(name); it != values->here.end())
      return &it->second;
  return nullptr;
}

const Value *Environment::find(std::string_view name) const {
  const Bound *found = bound(name);
  return found ? &found->value : nullptr;
}

const Variable *Environment::variable(std::string_view name) const {
  const Bound *found = bound(name);
  return found ? found->variable : nullptr;
}

const Variable *Environment::ofOtherBranch(std::string_view name) const {
  for (const Environment *values = this; values; values = values->outer)
    if (const Environment *first = values->other)
      if (auto it = first->here.find(name); it != first->here.end())
        return it->second.variable;
  return nullptr;
}

std::vector<std::string> Environment::names() const {
  std::vector<std::string> out;
  for (const Environment *values = this; values; values = values->outer)
    for (const auto &[name, value] : values->here)
      out.push_back(name);
  return out;
}

std::optional<BodyChecker::Ending> BodyChecker::body(const ast::Body &body, DimScope &dims,
                                                     Environment &values, bool wantsValue) {
  std::optional<Ending> ending;
  Place place{dims, values};
  for (const ast::Stmt &stmt : body.stmts) {
    bool isLast = &stmt == &body.stmts.back();
    demands(stmt.annotations);
    std::visit(
        ast::Match{
            [&](const ast::DimDecl &decl) { declareDims(decl, dims, values); },
            [&](const ast::Storage &decl) { storage(decl, place); },
            [&](const ast::Let &decl) { let(decl, place); },
            [&](const ast::Repeat &loop) { repeat(loop, place); },
            [&](const ast::If &choice) { ending = choose(choice, place, wantsValue && isLast); },
            [&](const ast::Value &value) {
              Value found = expr(*value.expr, place);
              if (wantsValue && isLast)
                ending = Ending{std::move(found), value.expr.get()};
              else
                dropped(*value.expr, found, place);
            },
        },
        stmt.node);
  }
  return ending;
}

void BodyChecker::declareDims(const ast::DimDecl &decl, DimScope &dims, const Environment &values) {
  for (const ast::DimDef &def : decl.defs) {
    const std::string &name = def.name.text;
    checkDimName(module, def.name);
    if (const Dim *visible = dims.find(name)) {
      error(Code::E0211, def.name.span, fmt::format("dimension `{}` is declared twice", name),
            "again")
          .label(visible->place, "first")
          .suggest("a local dimension has a name that nothing around it has");
      continue;
    }
    if (values.find(name))
      error(Code::E0205, def.name.span, fmt::format("`{}` is already a value", name))
          .suggest("a name means one thing: call the dimension something else");
    Dim *dim = module.tree.table.make(Dim::Kind::local, name, def.name.span);
    dim->defined = true;
    if (!def.size && def.parts.empty()) {
      error(Code::E0214, def.name.span, fmt::format("nothing gives `{}` a size", name))
          .suggest(
              fmt::format("define it: `dim {} = ...`, or declare it at the top of the file", name));
      dim->broken = true;
    }
    settle(module, def, *dim, dims);
    for (const Dim *part : dim->parts)
      single(part, fmt::format("it is a part of `{}`", name));
    dims.add(dim);
    module.tree.defined[&def] = dim;
    module.mean<const Dim *>(def.name, dim);
  }
}

void BodyChecker::storage(const ast::Storage &decl, Place place) {
  bool isState = decl.kind == ast::StorageKind::state;
  if (!fn.isBlock())
    needsBlock(
        decl.name.span,
        fmt::format("`{}` cannot own {}", ast::spelling(fn.kind), isState ? "state" : "parameters"),
        "");
  Type type = readType(module, fn, decl.type, place.dims);
  if (decl.type.rest)
    type = optimizerState(decl, std::move(type));
  for (const ast::TypeDim &dim : decl.type.dims)
    if (dim.optional)
      error(Code::E0215, dim.name.span, "what is stored has its dimensions or has them not")
          .suggest(fmt::format("write `{}`", dim.name.text));
  if (!isState && type.known && !type.element.isReal()) {
    auto &problem =
        error(Code::E0404, decl.type.span,
              fmt::format("a parameter holds `float`, not `{}`", show(type.element)))
            .suggest(fmt::format("only floats can be trained: `{}`; a `state` may hold others",
                                 quote(decl.type, "", "float")));
    if (!type.element.isBool()) // its initial value is no number
      problem.replace(decl.type.span, quote(decl.type, "", "float"));
  }
  if (place.values.find(decl.name.text))
    error(Code::E0211, decl.name.span, fmt::format("`{}` is already a value", decl.name.text))
        .suggest("give it a name of its own");
  if (decl.init)
    initialValue(decl, type, place);

  naming->storage[decl.name.text] = {&decl, type};
  module.tree.stored.insert_or_assign(&decl, type);
  claim(decl.name.text, {decl.name.span, branches, nullptr, nullptr, /*stores=*/true});
  if (isState)
    states[decl.name.text] = type;
  bind(decl.name, {std::move(type), {}}, place);
}

void BodyChecker::needsBlock(Span place, std::string message, std::string label) {
  constexpr size_t most = 5;
  if (notABlock) {
    if (notABlock->labels.size() < most)
      notABlock->label(place, std::move(label));
    return;
  }
  notABlock = &error(Code::E0401, place, std::move(message), std::move(label));
  if (fn.kind == ast::FnKind::fn)
    notABlock->suggest(fmt::format("make it a block: `block {}`", fn.name))
        .replace(fn.keyword, "block");
  else
    notABlock->suggest("move it into a block, and call that here");
}

Type BodyChecker::optimizerState(const ast::Storage &decl, Type type) {
  if (decl.kind == ast::StorageKind::state && isOptimizer(fn)) {
    for (const ArgInfo &arg : fn.signature.args)
      if (arg.rest)
        type.dims.insert(type.dims.begin(), arg.rest);
    return type;
  }
  error(Code::E0405, *decl.type.rest, "what a block stores has a fixed list of dimensions")
      .suggest("name every dimension; `..` is only for the state of an optimizer");
  return Type::unknown();
}

void BodyChecker::let(const ast::Let &decl, Place place) {
  bool isNew = !place.values.find(decl.name.text);
  Value value = expr(*decl.value, place, isNew ? &decl.name : nullptr);
  auto state = isNew ? states.end() : states.find(decl.name.text);
  if (state != states.end() && value.known() && state->second.known) {
    const Type &kept = state->second;
    bool sameDims =
        beyond(kept.dims, value.type.dims).empty() && beyond(value.type.dims, kept.dims).empty();
    if (!sameDims || !widens(value.type.element, kept.element)) {
      error(Code::E0303, decl.value->span,
            fmt::format("the state `{}` changes its {}", decl.name.text,
                        sameDims ? "element" : "shape"),
            fmt::format("declared {}, becomes {}", show(kept), show(value.type)))
          .suggest("a state keeps its shape from one run to the next");
      value.type = kept;
    }
  }
  bind(decl.name, std::move(value), place);
}

void BodyChecker::bind(const ast::Name &name, Value value, Place place) {
  checkName(module, place.dims, name);
  if (!fn.library && module.tree.options.count(name.text) && !place.values.find(name.text))
    error(Code::E0205, name.span, fmt::format("`{}` is already an option", name.text))
        .label(module.tree.options[name.text].syntax->name.span, "declared here")
        .suggest("a name means one thing: call the value something else");
  for (const ArgInfo &arg : fn.signature.args)
    if (arg.isStatic && arg.name == name.text && !place.values.find(name.text))
      error(Code::E0205, name.span, fmt::format("`{}` is fixed at build time", name.text))
          .suggest("a name means one thing: call the value something else");
  const Variable *variable = place.values.variable(name.text);
  bool isFirst = !variable;
  if (isFirst)
    variable = place.values.ofOtherBranch(name.text);
  if (!variable)
    variable = &module.tree.variables.emplace_back(name.text, name.span);
  module.tree.bindings[&name] = {variable, isFirst};
  naming->values[name.text] = {variable, value.type};
  place.values.bind(variable, std::move(value));
}

/// The last statement that binds `name`, in whatever is nested in `body`.
static const ast::Let *lastLet(const ast::Body &body, const std::string &name) {
  for (auto stmt = body.stmts.rbegin(); stmt != body.stmts.rend(); ++stmt) {
    const ast::Let *found = nullptr;
    if (auto *let = stmt->as<ast::Let>())
      found = let->name.text == name ? let : nullptr;
    else if (auto *repeat = stmt->as<ast::Repeat>())
      found = lastLet(repeat->body, name);
    else if (auto *choice = stmt->as<ast::If>()) {
      found = choice->otherwise ? lastLet(*choice->otherwise, name) : nullptr;
      found = found ? found : lastLet(choice->then, name);
    }
    if (found)
      return found;
  }
  return nullptr;
}

void BodyChecker::repeat(const ast::Repeat &loop, Place place) {
  const Dim *along = dim(loop.dim, place);
  if (along)
    single(along, "it is repeated");
  Naming *outer = naming;
  Child *child = along ? openRepeat(loop, along) : nullptr;
  Naming unreachable;
  naming = child ? child->inside.get() : &unreachable;
  enclosing.push_back(naming);

  // What a pass starts with is also what an earlier pass left: only its type is sure.
  Environment inner(&place.values);
  for (const ast::Name *name : mentions(loop.body).bound)
    if (const Value *value = place.values.find(name->text)) {
      if (along && contains(value->type.dims, along) && !inner.own().contains(name->text))
        error(Code::E0305, name->span,
              fmt::format("`{}` already has `{}`, along which the `repeat` runs", name->text,
                          along->name))
            .label(loop.dim.span, "each pass would carry all of its positions")
            .suggest("repeat along a dimension that the value lacks: `dim times = 3`");
      inner.bind(place.values.variable(name->text), {value->type, {}});
    }
  std::vector<const Variable *> &carried = module.tree.carried[&loop];
  carried.clear();
  for (const auto &[name, entered] : inner.own())
    carried.push_back(entered.variable);
  DimScope dims(&place.dims);
  body(loop.body, dims, inner, /*wantsValue=*/false);

  enclosing.pop_back();
  naming = outer;
  if (child)
    closeRepeat(loop, *child);
  for (const Variable *variable : carried) {
    const std::string &name = variable->name;
    const Value &entered = *place.values.find(name), &left = *inner.find(name);
    if (left.known() && entered.known())
      keepsShape(loop, name, entered.type, left.type);
    naming->values[name] = {variable, entered.type};
    place.values.bind(variable, {entered.type, {}});
  }
}

void BodyChecker::keepsShape(const ast::Repeat &loop, const std::string &value, const Type &entered,
                             const Type &left) {
  Dims extra = beyond(left.dims, entered.dims), lost = beyond(entered.dims, left.dims);
  if (extra.empty() && lost.empty() && widens(left.element, entered.element))
    return;
  const ast::Let *last = lastLet(loop.body, value);
  auto &problem = error(Code::E0303, last ? last->name.span : loop.dim.span,
                        fmt::format("`{}` changes {} inside `repeat`", value,
                                    extra.empty() && lost.empty() ? "its element" : "shape"),
                        fmt::format("enters as {}, leaves as {}", show(entered), show(left)));
  if (!extra.empty() && lost.empty())
    problem.suggest(fmt::format("let it enter with `{0}`: `{1} = expand[{0}]({1})` before the "
                                "`repeat`",
                                quoteGroup(extra), value));
  else if (!extra.empty())
    problem.suggest(fmt::format("a repeated value keeps its shape: map `{}` back to `{}`",
                                name(extra.front()), name(lost.front())));
  else if (!lost.empty())
    problem.suggest(fmt::format("`expand[{}](...)` puts back what was reduced", quoteGroup(lost)));
  else if (left.element.isReal() && !entered.element.isBool())
    problem.suggest(
        fmt::format("let it enter as float: `{0} = 1.0 * {0}` before the `repeat`", value));
  else
    problem.suggest("a repeated value keeps its element");
}

std::optional<BodyChecker::Ending> BodyChecker::choose(const ast::If &choice, Place place,
                                                       bool wantsValue) {
  Static condition =
      evaluate(module, *choice.condition,
               staticPlace(place, "`where(condition, a, b)` chooses by values, `if` by a switch "
                                  "at build time"));
  if (condition.kind != Static::Kind::toggle && condition.kind != Static::Kind::unknown)
    error(Code::E0209, choice.condition->span,
          fmt::format("`if` needs a switch, this is {}", describe(condition.kind)))
        .suggest(condition.kind == Static::Kind::number
                     ? fmt::format("compare it: `{} > 0`", quote(*choice.condition))
                     : "`true`, `false`, `training`, or an option that is one of them");

  auto branch = [&](const ast::Body *syntax, bool way, Environment &values) {
    DimScope dims(&place.dims);
    branches.emplace_back(&choice, way);
    std::optional<Ending> ending = syntax ? body(*syntax, dims, values, wantsValue) : std::nullopt;
    branches.pop_back();
    return ending;
  };
  Environment yes(&place.values), no(&place.values, &yes);
  std::optional<Ending> first = branch(&choice.then, true, yes);
  std::optional<Ending> second = branch(choice.otherwise ? &*choice.otherwise : nullptr, false, no);

  std::set<std::string> names;
  for (const Environment *side : {&yes, &no})
    for (const auto &[name, bound] : side->own())
      names.insert(name);
  for (const std::string &name : names) {
    const Value *a = yes.find(name), *b = no.find(name);
    if (!a || !b)
      continue;
    const ast::Let *last = lastLet(choice.then, name);
    const ast::Let *other = choice.otherwise ? lastLet(*choice.otherwise, name) : nullptr;
    Value both =
        either(*a, *b, fmt::format("`{}`", name), last ? last->name.span : choice.condition->span,
               other ? other->name.span : choice.condition->span);
    naming->values[name] = {yes.variable(name), both.type};
    place.values.bind(yes.variable(name), std::move(both));
  }
  if (!first || !second)
    return std::nullopt;
  return Ending{
      either(first->value, second->value, "the value", first->expr->span, second->expr->span),
      second->expr};
}

Value BodyChecker::either(const Value &a, const Value &b, const std::string &what, Span yes,
                          Span no) {
  if (!a.known() || !b.known())
    return Value::unknown();
  std::optional<Element> element = common(a.type.element, b.type.element);
  bool sameDims =
      beyond(a.type.dims, b.type.dims).empty() && beyond(b.type.dims, a.type.dims).empty();
  if (!element || !sameDims) {
    auto &problem =
        error(Code::E0312, no, fmt::format("{} has two {}", what, sameDims ? "elements" : "shapes"),
              "here " + show(b.type))
            .label(yes, "here " + show(a.type));
    Dims more = beyond(a.type.dims, b.type.dims);
    more = more.empty() ? beyond(b.type.dims, a.type.dims) : more;
    if (!sameDims)
      problem.suggest(fmt::format("both branches give one shape: one has `{}`, the other has not",
                                  name(more.front())));
    else
      problem.suggest("both branches give numbers, or both conditions");
    return Value::unknown();
  }
  Value out = a;
  out.type.element = *element;
  out.type.dims = unite(a.type.dims, b.type.dims);
  out.ranges = sema::either(rangesOf(a), rangesOf(b), module.bounds());
  return out;
}

void BodyChecker::dropped(const ast::Expr &expr, const Value &value, Place place) {
  if (!value.known() || !mentions(expr).labels.empty())
    return;
  std::string name = "y";
  while (place.values.find(name) || place.dims.find(name) || module.tree.options.count(name))
    name += "2";
  error(Code::E0406, expr.span, "this value goes nowhere")
      .suggest(fmt::format("leave it out, or give it a name: `{} = {}`", name, quote(expr)))
      .replace({expr.span.file, expr.span.begin, expr.span.begin}, name + " = ");
}

} // namespace weft::sema
