// What names stand for: dimensions, types, values known at build time; and where things are.
#include "frontend/lower/Builder.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

std::optional<Dims> Builder::dims(const ast::Name &name, Scope &scope) {
  std::optional<Dims> found;
  if (auto known = scope.dims.find(name.text); known != scope.dims.end())
    found = known->second;
  else if (StringAttr dim = scope.library ? StringAttr() : session.dims.ofProgram(name.text))
    found = Dims{dim};
  if (found) {
    for (StringAttr dim : *found)
      reads.dims.insert(dim.str());
    return found;
  }
  unsupported(name.span, fmt::format("unknown dimension `{}`", name.text));
  return std::nullopt;
}

std::optional<Dims> Builder::dims(const ast::Group &group, Scope &scope) {
  Dims all;
  for (const ast::Name &name : group.dims) {
    auto some = dims(name, scope);
    if (!some)
      return std::nullopt;
    all.append(some->begin(), some->end());
  }
  return all;
}

std::optional<model::NamedTensorType> Builder::type(const ast::Type &type, Scope &scope) {
  Dims all;
  if (type.rest)
    all = scope.rest;
  for (const ast::TypeDim &dim : type.dims) {
    auto some = dims(dim.name, scope);
    if (!some)
      return std::nullopt;
    for (StringAttr d : *some) {
      if (llvm::is_contained(all, d)) {
        unsupported(dim.name.span, fmt::format("`{}` stands here twice", session.dims.written(d)));
        return std::nullopt;
      }
      all.push_back(d);
    }
  }
  Type element = builder.getF32Type();
  if (type.element && type.element->text == "bool")
    element = builder.getI1Type();
  else if (type.element && type.element->text != "float")
    element = builder.getI64Type();
  return model::NamedTensorType::get(builder.getContext(), element, all);
}

/// The dimension whose indices a type holds; null if it holds none, or a group fills its slot.
StringAttr Builder::indexOf(const ast::Type &type, Scope &scope) {
  if (!type.element)
    return {};
  const std::string &name = type.element->text;
  if (name == "float" || name == "int" || name == "bool")
    return {};
  auto found = dims(*type.element, scope);
  return found && found->size() == 1 ? found->front() : StringAttr();
}

std::optional<Known> Builder::knownName(const ast::Name &name, const Scope &scope) const {
  if (auto found = scope.statics.find(name.text); found != scope.statics.end())
    return found->second;
  if (name.text == "training")
    return Known{training, {}};
  if (!scope.library)
    if (auto option = session.configuration.options.find(name.text);
        option != session.configuration.options.end())
      return Known{option->second, {name.text}};
  if (auto callee = session.functions.callee(name.text, scope.library))
    return Known{*callee, {}};
  return std::nullopt;
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
    auto found = dims(name, scope);
    return found ? session.dims.size(*found).number : std::nullopt;
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

std::optional<Static> Builder::staticName(const ast::Name &name, const Scope &scope) {
  return use(knownName(name, scope));
}

std::optional<Static> Builder::staticValue(const ast::Expr &expr, Scope &scope) {
  return use(known(expr, scope));
}

/// Whether the sizes of `dims` are known now; reports if not. `why`: "parameters need it".
bool Builder::requireStatic(ArrayRef<StringAttr> dims, Span place, StringRef why) {
  for (StringAttr dim : dims) {
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
      .note(fmt::format("inside `{}` ({})", active.back()->name.text,
                        session.sources.describe(place)));
}

Tensor Builder::unsupported(Span place, std::string message) {
  error(Code::E0610, place, std::move(message))
      .suggest("this is a limit of the builder: write it in another way");
  return {};
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

bool Builder::needs(Tensor x, ArrayRef<StringAttr> dims, Span place) {
  for (StringAttr dim : dims)
    if (!x.has(dim)) {
      unsupported(place, fmt::format("the value has no dimension `{}`", session.dims.written(dim)));
      return false;
    }
  return true;
}

} // namespace weft::lower
