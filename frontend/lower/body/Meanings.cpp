// What the declarations behind names are here: dimensions, types, values known at build time; and
// where things are.
#include "frontend/lower/body/Builder.h"
#include "ir/model/demands/Demands.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

DimList Builder::dims(const sema::Dim *dim, const Scope &scope) {
  DimList found = dim->kind == sema::Dim::Kind::file ? DimList{session.dims.ofProgram(dim->name)}
                                                     : scope.dims.at(dim);
  for (DimAttr each : found)
    reads.dims.insert(each.str());
  return found;
}

DimList Builder::dims(const ast::Name &name, const Scope &scope) {
  return dims(std::get<const sema::Dim *>(session.meaning(name)), scope);
}

DimList Builder::dims(const ast::Group &group, const Scope &scope) {
  DimList all;
  for (const ast::Name &name : group.dims)
    llvm::append_range(all, dims(name, scope));
  return all;
}

model::NamedTensorType Builder::type(const sema::Type &type, const Scope &scope) {
  DimList all;
  if (llvm::any_of(type.dims, [](const sema::Dim *dim) { return dim->isRest(); }))
    all = scope.rest;
  for (const sema::Dim *dim : type.dims)
    if (!dim->isRest())
      llvm::append_range(all, dims(dim, scope));
  return model::NamedTensorType::get(builder.getContext(), element(type.element, scope), all);
}

Type Builder::element(sema::Element element, const Scope &scope) {
  if (element.isReal())
    return builder.getF32Type();
  if (element.isBool())
    return builder.getI1Type();
  DimList indexed = element.isIndex() ? dims(element.dim, scope) : DimList();
  if (indexed.size() == 1)
    return model::DimIndexType::get(builder.getContext(), indexed.front());
  return builder.getI32Type(); // of positions too, where a group fills the slot
}

/// What `name` is, if that is known at build time.
std::optional<Known> Builder::knownName(const ast::Name &name, const Scope &scope) const {
  auto noted = session.program.meanings.find(&name);
  if (noted == session.program.meanings.end())
    return std::nullopt;
  const sema::Meaning &meaning = noted->second;
  if (auto *arg = std::get_if<const sema::ArgInfo *>(&meaning))
    return scope.statics.at(*arg);
  if (auto *option = std::get_if<const sema::OptionInfo *>(&meaning)) {
    const std::string &named = (*option)->syntax->name.text;
    return Known{session.configuration.options.find(named)->second, {named}};
  }
  if (auto *function = std::get_if<const sema::FunctionInfo *>(&meaning))
    return Known{*function, {}};
  if (auto *word = std::get_if<sema::Word>(&meaning)) {
    if (*word == sema::Word::training)
      return Known{training, {}};
    return Known{StaticNumber::of(std::numeric_limits<double>::infinity()), {}};
  }
  return std::nullopt; // only a run knows it
}

/// The function that `call` calls. Of an option or an untyped argument, what it was set to.
Callee Builder::callee(const ast::Call &call, const Scope &scope) {
  return std::get<Callee>(*use(knownName(call.callee, scope)));
}

/// The value of `expr` where it is only handed on: nothing counts as read yet.
std::optional<Known> Builder::known(const ast::Expr &expr, Scope &scope) {
  auto *both = expr.as<ast::Binary>();
  if (both && (both->op == ast::BinaryOp::logicalAnd || both->op == ast::BinaryOp::logicalOr)) {
    auto x = known(*both->lhs, scope), y = known(*both->rhs, scope);
    auto *a = x ? std::get_if<bool>(&x->value) : nullptr;
    auto *b = y ? std::get_if<bool>(&y->value) : nullptr;
    if (!a || !b)
      return std::nullopt;
    bool decisive = both->op == ast::BinaryOp::logicalOr; // whatever the other side is
    if (*a == decisive)
      return x;
    if (*b != decisive)
      y->options.merge(x->options);
    return y;
  }
  std::set<std::string> options;
  StaticScope names;
  names.value = [&](const ast::Name &name) -> std::optional<Static> {
    auto found = knownName(name, scope);
    if (!found)
      return std::nullopt;
    options.merge(found->options);
    return found->value;
  };
  names.size = [&](const ast::Name &name) -> std::optional<int64_t> {
    return session.dims.size(dims(name, scope)).number;
  };
  auto value = evaluateStatic(expr, names);
  return value ? std::optional(Known{*value, std::move(options)}) : std::nullopt;
}

std::optional<Static> Builder::use(std::optional<Known> known) {
  if (!known)
    return std::nullopt;
  reads.options.merge(known->options);
  return std::move(known->value);
}

std::optional<Static> Builder::staticValue(const ast::Expr &expr, Scope &scope) {
  return use(known(expr, scope));
}

/// Whether the sizes of `dims` are known now; reports if not. `why`: "parameters need it".
bool Builder::requireStatic(ArrayRef<DimAttr> dims, Span place, StringRef why) {
  for (DimAttr dim : dims) {
    if (session.dims.size(dim).number)
      continue;
    std::string missing = fmt::format("{}", fmt::join(session.dims.sources(dim), "`, `"));
    auto &problem =
        error(Code::E0605, place,
              fmt::format("the size of `{}` is not known at build time", session.dims.written(dim)),
              why.str());
    std::string settings;
    for (const std::string &name : session.dims.sources(dim)) {
      settings += fmt::format("{}{}=…", settings.empty() ? "" : ",", name);
      if (const Dimension *source = session.configuration.dim(name);
          source && source->definition->span != place)
        problem.label(source->definition->span, fmt::format("`{}` has no size", name));
    }
    problem.suggest(fmt::format("set `{}` in a config or with `--set {}`", missing, settings));
    return false;
  }
  return true;
}

Location Builder::at(Span place, StringRef name) {
  Location loc = session.locate(place);
  SmallVector<int64_t> here; // what calls around it are held to, their places say
  for (const Open &open : demanded)
    if (open.depth == callers.size())
      here.push_back(open.demand);
  loc = model::withDemands(loc, here);
  if (!callers.empty())
    loc = CallSiteLoc::get(loc, callers.back());
  if (name.empty())
    return loc;
  return NameLoc::get(builder.getStringAttr(name), loc);
}

Diagnostic &Builder::error(Code code, Span place, std::string message, std::string label) {
  auto inLibrary = [&](Span span) { return session.sources.file(span.file).isLibrary(); };
  Span shown = place;
  for (size_t i = callPlaces.size(); i-- && inLibrary(shown);)
    shown = callPlaces[i];
  for (const Diagnostic &known : session.diagnostics.all())
    if (known.code == code && known.message == message && !known.labels.empty() &&
        known.labels.front().span == shown)
      return session.repeated;
  if (!inLibrary(place) || inLibrary(shown))
    return session.diagnostics.error(code, place, std::move(message), std::move(label));
  return session.diagnostics.error(code, shown, std::move(message), std::move(label))
      .note(fmt::format("inside `{}` ({})", active.back()->name, session.sources.describe(place)));
}

Tensor Builder::notKnown(Span place, std::string message) {
  error(Code::E0605, place, std::move(message))
      .suggest("set the sizes that it asks for, in a config or with `--set`");
  return {};
}

Tensor Builder::tooLarge(Span place, std::string_view what) {
  error(Code::E0610, place, fmt::format("the program is too large: {}", what))
      .suggest("`repeat[n] { … }` says once what is done n times");
  return {};
}

} // namespace weft::lower
