// Reads `minimize` and `decode`.
#include "frontend/lower/body/Derived.h"

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

std::optional<StaticNumber> clauseNumber(Session &session, const ast::Expr &expr, StringRef name,
                                         StringRef indexed) {
  ClauseNumber number = readClauseNumber(name, expr, session.configuration, indexed);
  if (number.value)
    return number.value;
  session.diagnostics
      .error(Code::E0506, expr.span, number.problem,
             expr.is<ast::Number>() ? "" : "is " + number.shown)
      .suggest(fmt::format("`{} = {}`", name.str(), clauseRule(name).least));
  return std::nullopt;
}

/// The entry that the first argument names.
static const sema::FunctionInfo *target(const ast::Call &call, Session &session) {
  const ast::Name &name = call.args[0]->as<ast::Variable>()->name;
  return std::get<const sema::FunctionInfo *>(session.meaning(name));
}

std::optional<MinimizeClause> readMinimize(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  MinimizeClause clause;
  clause.place = derived.expr->span;
  clause.loss = target(call, session);
  auto optimizer = [&](const ast::Expr &expr) {
    auto *call = expr.as<ast::Call>();
    return MinimizeClause::Optimizer{
        call, std::get<const sema::FunctionInfo *>(session.meaning(call->callee))};
  };
  clause.optimizer = optimizer(*call.args[1]);
  for (size_t i = 2; i < call.args.size(); ++i) {
    std::optional<ParameterGroup> group = readGroup(*call.args[i]);
    clause.groups.push_back({*group, {}});
    if (group->optimizer)
      clause.groups.back().optimizer = optimizer(*group->optimizer);
  }
  for (auto [name, field] : {std::pair("clip", &clause.clip), {"clip_value", &clause.clipValue}})
    if (auto *limit = named(call, name))
      *field = limit->value.get();
  if (auto *data = named(call, "data")) {
    clause.data = data->value->as<ast::Call>();
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
  auto add = [&](std::string_view role, const ast::Expr &value) {
    const std::string &name = value.as<ast::Variable>()->name.text;
    arguments.push_back(
        builder.getNamedAttr(role.empty() ? name : role, builder.getStringAttr(name)));
  };
  for (size_t i = 0; i < call.args.size(); ++i)
    add(i < kind->roles.size() ? kind->roles[i] : std::string_view(), *call.args[i]);
  for (const ast::NamedArg &arg : call.named)
    add(arg.name.text, *arg.value);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr(kind->name)),
       builder.getNamedAttr("arguments", builder.getDictionaryAttr(arguments))});
}

std::optional<DecodeClause> readDecode(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  DecodeClause clause;
  clause.entry = target(call, session);
  clause.dim = call.dims[0].dims[0].text;
  std::string indexed;
  for (const ast::Arg &arg : clause.entry->syntax->args)
    for (const ast::TypeDim &dim : arg.type ? arg.type->dims : std::vector<ast::TypeDim>())
      if (dim.name.text == clause.dim && clause.argument.empty()) {
        clause.argument = arg.name.text;
        indexed = arg.type->element ? arg.type->element->text : "";
      }
  for (auto [name, field] : {std::pair("start", &clause.start), {"max", &clause.max}}) {
    const ast::NamedArg *arg = named(call, name);
    auto number = clauseNumber(session, *arg->value, name, field == &clause.start ? indexed : "");
    if (!number)
      return std::nullopt;
    *field = number->integer;
  }
  return clause;
}

} // namespace weft::lower
