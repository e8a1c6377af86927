// Reads `minimize` and `decode`.
#include "frontend/build/Derived.h"

#include "frontend/DataKinds.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::build {

static const ast::NamedArg *named(const ast::Call &call, StringRef name) {
  for (const ast::NamedArg &arg : call.named)
    if (arg.name.text == name)
      return &arg;
  return nullptr;
}

/// The entry that the first argument names.
static const ast::Function *target(const ast::Call &call, Span place, Session &session) {
  auto *name = call.args.empty() ? nullptr : call.args[0]->as<ast::Variable>();
  const ast::Function *entry = name ? session.functions.entry(name->name.text) : nullptr;
  if (!entry)
    session.diagnostics.error(
        Code::E0610, call.args.empty() ? place : call.args[0]->span,
        fmt::format("`{}` takes the name of an entry first", call.callee.text));
  return entry;
}

static bool onlyKnows(const ast::Call &call, ArrayRef<StringRef> names, Session &session) {
  for (const ast::NamedArg &arg : call.named)
    if (!llvm::is_contained(names, arg.name.text)) {
      session.diagnostics.error(
          Code::E0610, arg.name.span,
          fmt::format("`{}` has no argument `{}`", call.callee.text, arg.name.text));
      return false;
    }
  return true;
}

std::optional<MinimizeClause> readMinimize(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  MinimizeClause clause;
  clause.place = derived.expr->span;
  clause.loss = target(call, clause.place, session);
  if (!clause.loss || !onlyKnows(call, {"clip", "data"}, session))
    return std::nullopt;
  if (!clause.loss->result || !clause.loss->result->dims.empty() || clause.loss->result->rest) {
    session.diagnostics.error(Code::E0610, call.args[0]->span,
                              fmt::format("`minimize` needs an entry that gives one number, `{}` "
                                          "does not",
                                          clause.loss->name.text));
    return std::nullopt;
  }
  clause.optimizer = call.args.size() == 2 ? call.args[1]->as<ast::Call>() : nullptr;
  clause.rule =
      clause.optimizer ? session.functions.find(clause.optimizer->callee.text, false) : nullptr;
  if (!clause.rule) {
    session.diagnostics
        .error(Code::E0610, call.args.size() > 1 ? call.args[1]->span : clause.place,
               "`minimize` takes an optimizer second")
        .suggest(fmt::format("minimize({}, adamw(rate = 0.001))", clause.loss->name.text));
    return std::nullopt;
  }
  for (const ast::NamedArg &arg : clause.optimizer->named)
    if (llvm::is_contained(filledByMinimize, arg.name.text)) {
      session.diagnostics.error(
          Code::E0610, arg.name.span,
          fmt::format("`minimize` gives `{}` to the optimizer itself", arg.name.text));
      return std::nullopt;
    }
  if (auto *clip = named(call, "clip"))
    clause.clip = clip->value.get();
  if (auto *data = named(call, "data")) {
    clause.data = data->value->as<ast::Call>();
    if (!clause.data) {
      session.diagnostics.error(Code::E0610, data->value->span,
                                "`data` names a source and its arguments: `text(tokens, next)`");
      return std::nullopt;
    }
  }
  return clause;
}

DictionaryAttr dataOf(const MinimizeClause &clause, Session &session) {
  const ast::Call &call = *clause.data;
  OpBuilder builder(session.module.getContext());
  const DataKind *kind = findDataKind(call.callee.text);
  auto error = [&](Span place, std::string message) {
    session.diagnostics.error(Code::E0610, place, std::move(message));
    return DictionaryAttr();
  };
  if (!kind)
    return error(call.callee.span, fmt::format("no data source is called `{}`", call.callee.text));
  auto roles = kind->roles;
  SmallVector<NamedAttribute> arguments;
  auto add = [&](StringRef role, const ast::Expr &value) {
    auto *name = value.as<ast::Variable>();
    bool known = name && llvm::any_of(clause.loss->args, [&](const ast::Arg &arg) {
                   return arg.type && arg.name.text == name->name.text;
                 });
    if (!known)
      return false;
    StringRef argument = name->name.text;
    arguments.push_back(
        builder.getNamedAttr(role.empty() ? argument : role, builder.getStringAttr(argument)));
    return true;
  };
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (!roles.empty() && i >= roles.size())
      return error(call.args[i]->span,
                   fmt::format("`{}` gives only {}", kind->name, fmt::join(roles, ", ")));
    if (!add(roles.empty() ? StringRef() : StringRef(roles[i]), *call.args[i]))
      return error(call.args[i]->span,
                   fmt::format("this is not an argument of `{}`", clause.loss->name.text));
  }
  for (const ast::NamedArg &arg : call.named) {
    if (!roles.empty() && !llvm::is_contained(roles, arg.name.text))
      return error(arg.name.span,
                   fmt::format("`{}` gives only {}", kind->name, fmt::join(roles, ", ")));
    if (!add(arg.name.text, *arg.value))
      return error(arg.value->span,
                   fmt::format("this is not an argument of `{}`", clause.loss->name.text));
  }
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("kind", builder.getStringAttr(kind->name)),
       builder.getNamedAttr("arguments", builder.getDictionaryAttr(arguments))});
}

std::optional<DecodeClause> readDecode(const ast::DerivedEntry &derived, Session &session) {
  const ast::Call &call = *derived.expr->as<ast::Call>();
  auto error = [&](Span place, std::string message) {
    session.diagnostics.error(Code::E0610, place, std::move(message));
    return std::nullopt;
  };
  DecodeClause clause;
  clause.entry = target(call, derived.expr->span, session);
  if (!clause.entry || !onlyKnows(call, {"start", "max"}, session))
    return std::nullopt;
  if (call.dims.size() != 1 || call.dims[0].dims.size() != 1)
    return error(derived.expr->span, "`decode` grows along one dimension: `decode[seq](…)`");
  clause.dim = call.dims[0].dims[0].text;
  for (const ast::Arg &arg : clause.entry->args)
    for (const ast::TypeDim &dim : arg.type ? arg.type->dims : std::vector<ast::TypeDim>())
      if (dim.name.text == clause.dim && clause.argument.empty())
        clause.argument = arg.name.text;
  if (clause.argument.empty())
    return error(call.dims[0].span,
                 fmt::format("no argument of `{}` has `{}`", clause.entry->name.text, clause.dim));
  StaticScope names;
  names.value = [&](const ast::Name &name) -> std::optional<Static> {
    auto option = session.configuration.options.find(name.text);
    if (option == session.configuration.options.end())
      return std::nullopt;
    return option->second;
  };
  for (auto [name, field, least] :
       {std::tuple("start", &clause.start, 0), {"max", &clause.max, 1}}) {
    const ast::NamedArg *arg = named(call, name);
    if (!arg)
      return error(derived.expr->span, fmt::format("`decode` needs `{}`", name));
    auto value = evaluateStatic(*arg->value, names);
    auto *number = value ? std::get_if<StaticNumber>(&*value) : nullptr;
    if (!number || !number->whole || number->integer < least)
      return error(arg->value->span, fmt::format("`{}` is a whole number from {}", name, least));
    *field = number->integer;
  }
  return clause;
}

} // namespace weft::build
