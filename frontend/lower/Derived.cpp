// Reads `minimize` and `decode`.
#include "frontend/lower/Derived.h"

#include "frontend/builtin/Minimize.h"
#include "frontend/configure/ClauseNumber.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

static const ast::NamedArg *named(const ast::Call &call, StringRef name) {
  for (const ast::NamedArg &arg : call.named)
    if (arg.name.text == name)
      return &arg;
  return nullptr;
}

/// The checker has read these clauses before; whoever comes without it learns no more than this.
static std::nullopt_t unchecked(Span place, Session &session) {
  session.diagnostics.error(Code::E0610, place, "this was not passed by the checker")
      .suggest("`weft check` says what is wrong");
  return std::nullopt;
}

std::optional<StaticNumber> clauseNumber(Session &session, const ast::Expr &expr, StringRef name,
                                         StringRef indexed) {
  ClauseNumber number = readClauseNumber(name, expr, session.configuration, indexed);
  if (number.value)
    return number.value;
  if (number.problem.empty())
    return unchecked(expr.span, session);
  session.diagnostics
      .error(Code::E0506, expr.span, number.problem,
             expr.is<ast::Number>() ? "" : "is " + number.shown)
      .suggest(fmt::format("`{} = {}`", name.str(), clauseRule(name).least));
  return std::nullopt;
}

/// The entry that the first argument names.
static const ast::Function *target(const ast::Call &call, Session &session) {
  auto *name = call.args.empty() ? nullptr : call.args[0]->as<ast::Variable>();
  return name ? session.functions.entry(name->name.text) : nullptr;
}

std::optional<MinimizeClause> readMinimize(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  MinimizeClause clause;
  clause.place = derived.expr->span;
  clause.loss = target(call, session);
  auto optimizer = [&](const ast::Expr &expr) {
    auto *call = expr.as<ast::Call>();
    return MinimizeClause::Optimizer{call, call ? session.functions.find(call->callee.text, false)
                                                : nullptr};
  };
  if (call.args.size() > 1)
    clause.optimizer = optimizer(*call.args[1]);
  if (!clause.loss || !clause.optimizer.rule)
    return unchecked(clause.place, session);
  for (size_t i = 2; i < call.args.size(); ++i) {
    auto group = readGroup(*call.args[i]);
    if (!group)
      return unchecked(call.args[i]->span, session);
    clause.groups.push_back({*group, {}});
    if (group->optimizer)
      clause.groups.back().optimizer = optimizer(*group->optimizer);
    if (group->optimizer && !clause.groups.back().optimizer.rule)
      return unchecked(group->optimizer->span, session);
  }
  for (auto [name, field] : {std::pair("clip", &clause.clip), {"clip_value", &clause.clipValue}})
    if (auto *limit = named(call, name))
      *field = limit->value.get();
  if (auto *data = named(call, "data")) {
    clause.data = data->value->as<ast::Call>();
    if (!clause.data)
      return unchecked(data->value->span, session);
  }
  return clause;
}

const MinimizeClause::Group *MinimizeClause::groupOf(StringRef parameter) const {
  const Group *first = nullptr;
  for (const Group &group : groups)
    if (group.parameters.holds(parameter)) {
      if (!group.optimizer.rule) // what is frozen stays as it is, wherever the clause stands
        return &group;
      first = first ? first : &group;
    }
  return first;
}

DictionaryAttr dataOf(const MinimizeClause &clause, Session &session) {
  const ast::Call &call = *clause.data;
  OpBuilder builder(session.module.getContext());
  const DataKind *kind = findDataKind(call.callee.text);
  SmallVector<NamedAttribute> arguments;
  bool known = kind;
  auto add = [&](std::string_view role, const ast::Expr &value) {
    auto *name = value.as<ast::Variable>();
    known &= name != nullptr;
    if (name)
      arguments.push_back(builder.getNamedAttr(role.empty() ? name->name.text : role,
                                               builder.getStringAttr(name->name.text)));
  };
  for (size_t i = 0; known && i < call.args.size(); ++i)
    add(i < kind->roles.size() ? kind->roles[i] : std::string_view(), *call.args[i]);
  for (const ast::NamedArg &arg : call.named)
    add(arg.name.text, *arg.value);
  if (!known) {
    unchecked(call.callee.span, session);
    return {};
  }
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr(kind->name)),
       builder.getNamedAttr("arguments", builder.getDictionaryAttr(arguments))});
}

std::optional<DecodeClause> readDecode(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  DecodeClause clause;
  clause.entry = target(call, session);
  if (!clause.entry || call.dims.size() != 1 || call.dims[0].dims.size() != 1)
    return unchecked(derived.expr->span, session);
  clause.dim = call.dims[0].dims[0].text;
  std::string indexed;
  for (const ast::Arg &arg : clause.entry->args)
    for (const ast::TypeDim &dim : arg.type ? arg.type->dims : std::vector<ast::TypeDim>())
      if (dim.name.text == clause.dim && clause.argument.empty()) {
        clause.argument = arg.name.text;
        indexed = arg.type->element ? arg.type->element->text : "";
      }
  for (auto [name, field] : {std::pair("start", &clause.start), {"max", &clause.max}}) {
    const ast::NamedArg *arg = named(call, name);
    if (!arg)
      return unchecked(derived.expr->span, session);
    auto number = clauseNumber(session, *arg->value, name, field == &clause.start ? indexed : "");
    if (!number)
      return std::nullopt;
    *field = number->integer;
  }
  if (clause.argument.empty())
    return unchecked(call.dims[0].span, session);
  return clause;
}

} // namespace weft::lower
