// Calls are inlined: arguments are matched, dimensions substituted so that none is captured, the
// body is run.
#include "frontend/lower/Builder.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

/// More calls than any sensible program inlines; a guard against programs that double at every
/// level.
static constexpr size_t maxInlined = 200000;

std::optional<Invocation> Builder::gather(const ast::Call &call, const ast::Function &function,
                                          Span place, Scope &scope, std::string key) {
  Invocation invocation{function, place, std::move(key), {}, {}, {}};
  if (call.dims.size() != function.dims.size()) {
    unsupported(call.callee.span,
                fmt::format("`{}` takes {} dimensions, got {}", function.name.text,
                            function.dims.size(), call.dims.size()));
    return std::nullopt;
  }
  for (const ast::Group &group : call.dims) {
    auto filled = dims(group, scope);
    if (!filled)
      return std::nullopt;
    invocation.dims.push_back(*filled);
  }
  size_t next = 0;
  for (const ast::Arg &arg : function.args) // arguments that are filled for the user do not count
    if (next < call.args.size() && !scope.ambient.contains(arg.name.text))
      if (!give(invocation, arg, *call.args[next++], scope))
        return std::nullopt;
  if (next < call.args.size()) {
    unsupported(call.args[next]->span,
                fmt::format("`{}` has no argument for this", function.name.text));
    return std::nullopt;
  }
  for (const ast::NamedArg &named : call.named) {
    auto arg = llvm::find_if(function.args,
                             [&](const ast::Arg &a) { return a.name.text == named.name.text; });
    if (arg == function.args.end()) {
      unsupported(named.name.span,
                  fmt::format("`{}` has no argument `{}`", function.name.text, named.name.text));
      return std::nullopt;
    }
    if (!give(invocation, *arg, *named.value, scope))
      return std::nullopt;
  }
  for (const ast::Arg &arg : function.args)
    if (auto filled = scope.ambient.find(arg.name.text); arg.type && filled != scope.ambient.end())
      invocation.values.try_emplace(arg.name.text, filled->second);
  return invocation;
}

bool Builder::give(Invocation &invocation, const ast::Arg &arg, const ast::Expr &value,
                   Scope &scope) {
  if (arg.type) {
    Tensor x = expression(value, scope);
    invocation.values[arg.name.text] = x;
    return static_cast<bool>(x);
  }
  auto known = this->known(value, scope);
  if (!known) {
    notKnown(value.span, fmt::format("`{}` must be known at build time", arg.name.text));
    return false;
  }
  invocation.statics[arg.name.text] = *known;
  return true;
}

/// The dimensions, in the caller's names, that an argument's type names.
static llvm::SmallVector<StringAttr> named(const ast::Type &type, const Invocation &invocation,
                                           DimTable &table) {
  llvm::SmallVector<StringAttr> dims;
  for (const ast::TypeDim &dim : type.dims) {
    auto slot = llvm::find_if(invocation.function.dims,
                              [&](const ast::Name &n) { return n.text == dim.name.text; });
    if (slot != invocation.function.dims.end())
      llvm::append_range(dims, invocation.dims[slot - invocation.function.dims.begin()]);
    else if (StringAttr own = table.ofProgram(dim.name.text))
      dims.push_back(own);
  }
  return dims;
}

/// Fills the slots. A slot keeps the caller's dimension unless that would capture it: because it
/// fills another slot too, because an argument brings it in its `..`, or because the callee speaks
/// of it itself.
std::optional<std::vector<Renamed>> Builder::openSlots(const Invocation &invocation, Scope &scope) {
  const ast::Function &function = invocation.function;
  std::set<std::string> spoken = session.mentions(function);
  for (auto &[name, known] : invocation.statics)
    if (auto *callee = std::get_if<Callee>(&known.value); callee && callee->function)
      spoken.merge(std::set(session.mentions(*callee->function)));

  llvm::SmallVector<StringAttr> brought, taken;
  for (const ast::Arg &arg : function.args) {
    auto value = invocation.values.find(arg.name.text);
    if (!arg.type || value == invocation.values.end())
      continue;
    auto own = named(*arg.type, invocation, session.dims);
    for (StringAttr dim : value->second.dims()) {
      taken.push_back(dim);
      if (llvm::is_contained(own, dim))
        continue;
      brought.push_back(dim);
      if (!llvm::is_contained(scope.rest, dim))
        scope.rest.push_back(dim);
    }
  }
  for (const Dims &slot : invocation.dims)
    llvm::append_range(taken, slot);
  for (const std::string &name : spoken)
    taken.push_back(StringAttr::get(builder.getContext(), name));

  std::vector<Renamed> renamed;
  llvm::SmallVector<StringAttr> filled;
  for (size_t i = 0; i < invocation.dims.size(); ++i) {
    Dims &slot = scope.dims[function.dims[i].text];
    for (StringAttr dim : invocation.dims[i]) {
      bool captured = llvm::is_contained(filled, dim) || llvm::is_contained(brought, dim) ||
                      spoken.contains(dim.str());
      StringAttr inner = captured ? session.dims.fresh(dim, taken) : dim;
      if (captured)
        renamed.push_back({inner, dim});
      taken.push_back(inner);
      filled.push_back(inner);
      slot.push_back(inner);
    }
  }
  return renamed;
}

/// Binds the arguments: in the callee's names, widened where a dimension `d?` is missing.
bool Builder::openArguments(const Invocation &invocation, Scope &scope, ArrayRef<Renamed> renamed) {
  for (const ast::Arg &arg : invocation.function.args) {
    const std::string &name = arg.name.text;
    if (!arg.type) {
      auto given = invocation.statics.find(name);
      auto value = given != invocation.statics.end() ? std::optional(given->second)
                   : arg.value                       ? known(*arg.value, scope)
                                                     : std::nullopt;
      if (!value) {
        notKnown(arg.name.span, fmt::format("`{}` is not known at build time", name));
        return false;
      }
      scope.statics[name] = *value;
    }
  }
  for (const ast::Arg &arg : invocation.function.args) {
    if (!arg.type)
      continue;
    const std::string &name = arg.name.text;
    auto given = invocation.values.find(name);
    Tensor x;
    if (given != invocation.values.end()) {
      x = given->second;
    } else if (arg.value) {
      Scope defaults = scope; // a default sees the slots and what is known at build time
      defaults.values.clear();
      x = expression(*arg.value, defaults, {name, false});
    } else {
      unsupported(invocation.place,
                  fmt::format("`{}` needs an argument `{}`", invocation.function.name.text, name));
    }
    if (!x)
      return false;
    Location loc = at(arg.name.span, name);
    auto wanted = type(*arg.type, scope);
    if (!wanted)
      return false;
    if (given != invocation.values.end())
      for (const Renamed &r : renamed)
        if (wanted->has(r.inner) && !(wanted->has(r.outer) && x.has(r.inner)))
          x = rename(x, r.outer, r.inner, loc);
    Dims missing;
    for (const ast::TypeDim &dim : arg.type->dims) {
      auto all = dims(dim.name, scope);
      for (StringAttr d : *all) {
        if (x.has(d))
          continue;
        if (!dim.optional && given != invocation.values.end()) {
          unsupported(invocation.place, fmt::format("argument `{}` has no dimension `{}`", name,
                                                    session.dims.written(d)));
          return false;
        }
        missing.push_back(d);
      }
    }
    if (wanted->isFloat())
      x = toFloat(x, loc);
    if (!isInt(x, invocation.place))
      return false;
    x = widen(x, missing, loc);
    if (x.type().getElement() != wanted->getElement()) {
      unsupported(invocation.place, fmt::format("argument `{}` holds other elements", name));
      return false;
    }
    if (StringAttr index = indexOf(*arg.type, scope)) {
      if (!literalFits(x, {x.value, index}, invocation.place))
        return false;
      x.index = index;
    }
    scope.values[name] = x;
  }
  return true;
}

/// The result in the caller's names, with all that its declared type says it has.
Tensor Builder::close(const Invocation &invocation, Tensor result, Scope &scope,
                      ArrayRef<Renamed> renamed, StringRef name) {
  const ast::Function &function = invocation.function;
  auto declared = function.result ? type(*function.result, scope) : std::nullopt;
  if (!declared)
    return {};
  for (StringAttr dim : result.dims())
    if (!declared->has(dim))
      return unsupported(invocation.place,
                         fmt::format("the result of `{}` has `{}`, which it does "
                                     "not declare",
                                     function.name.text, session.dims.written(dim)));
  Location loc = at(invocation.place, name);
  if (declared->isFloat())
    result = toFloat(result, loc);
  result = widen(result, declared->getDims(), loc);
  for (const Renamed &r : renamed) {
    if (result.has(r.inner) && result.has(r.outer))
      return unsupported(invocation.place,
                         fmt::format("the result of `{}` would have `{}` twice", function.name.text,
                                     session.dims.written(r.outer)));
    result = rename(result, r.inner, r.outer, loc);
    if (result.index == r.inner)
      result.index = r.outer;
  }
  return result;
}

/// The paths that lead through an instance called `key`, from there on; all of them if it has no
/// name.
static std::vector<Names> inside(const std::vector<Names> &wanted, const std::string &key) {
  if (key.empty())
    return wanted;
  std::vector<Names> result;
  for (const Names &path : wanted)
    if (path.size() > 1 && path.front() == key)
      result.emplace_back(path.begin() + 1, path.end());
  return result;
}

Tensor Builder::invoke(Invocation &invocation, Frame &caller, Bind bind) {
  const ast::Function &function = invocation.function;
  if (llvm::is_contained(active, &function))
    return unsupported(invocation.place, fmt::format("`{}` calls itself", function.name.text));
  if (++inlined > maxInlined)
    return tooLarge(invocation.place, "too many calls");

  Scope scope;
  scope.library = session.functions.inLibrary(&function);
  scope.frame.path = caller.path;
  if (!invocation.key.empty())
    scope.frame.path.push_back(invocation.key);
  scope.frame.loops = caller.loops;
  scope.frame.optimizes = caller.optimizes;
  scope.frame.wanted = inside(caller.wanted, invocation.key);
  llvm::append_range(scope.frame.wanted, pathsIn(function.body));

  active.push_back(&function);
  auto renamed = openSlots(invocation, scope);
  callers.push_back(at(invocation.place));
  callPlaces.push_back(invocation.place);
  Tensor result;
  if (renamed && openArguments(invocation, scope, *renamed)) {
    for (auto &[name, value] : scope.values)
      scope.frame.node->values[name] = value;
    auto value = body(function.body, scope, {bind.name, false});
    if (value && !*value)
      unsupported(function.name.span, fmt::format("`{}` has no value", function.name.text));
    else if (value && writeStates(scope, function.name.span))
      result = *value;
  }
  callers.pop_back();
  callPlaces.pop_back();
  active.pop_back();
  if (!result)
    return {};
  result = close(invocation, result, scope, *renamed, bind.name);
  Kid kid{scope.frame.node, result, *renamed};
  if (invocation.key.empty())
    caller.node->anonymous.push_back(std::move(kid));
  else
    caller.node->kids[invocation.key] = std::move(kid);
  return result;
}

} // namespace weft::lower
