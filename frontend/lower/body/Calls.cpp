// Calls are inlined: arguments are matched, dimensions substituted so that none is captured, the
// body is run.
#include "frontend/lower/body/Demanding.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

/// More calls than any sensible program inlines; a guard against programs that double at every
/// level.
static constexpr size_t maxInlined = 200000;

/// The argument of `function` that takes what is given to `arg` of `like`, in whose place it may
/// stand: tensors follow each other, untyped ones have their places.
static const sema::ArgInfo &counterpart(const sema::ArgInfo &arg, const sema::FunctionInfo &like,
                                        const sema::FunctionInfo &function) {
  const std::vector<sema::ArgInfo> &args = function.signature.args;
  size_t place = &arg - like.signature.args.data();
  if (&like == &function || arg.isStatic)
    return args[place];
  auto isData = [](const sema::ArgInfo &each) { return !each.isStatic; };
  auto nth = llvm::count_if(llvm::ArrayRef(like.signature.args).take_front(place), isData);
  auto data = llvm::make_filter_range(args, isData);
  return *std::next(data.begin(), nth);
}

std::optional<Invocation> Builder::gather(const ast::Call &call, const sema::FunctionInfo &function,
                                          Span place, Scope &scope, std::string key) {
  Invocation invocation{function, place, std::move(key), {}, {}, {}};
  for (const ast::Group &group : call.dims)
    invocation.dims.push_back(dims(group, scope));
  const sema::BoundCall &bound = session.program.calls.at(&call);
  for (const sema::BoundCall::Given &given : bound.given)
    if (!give(invocation, counterpart(*given.arg, *bound.callee, function), *given.value, scope))
      return std::nullopt;
  for (const sema::ArgInfo &arg : function.signature.args)
    if (auto filled = scope.ambient.find(arg.name); !arg.isStatic && filled != scope.ambient.end())
      invocation.values.try_emplace(&arg, filled->second);
  return invocation;
}

bool Builder::give(Invocation &invocation, const sema::ArgInfo &arg, const ast::Expr &value,
                   Scope &scope) {
  if (!arg.isStatic) {
    Tensor x = expression(value, scope);
    invocation.values[&arg] = x;
    return static_cast<bool>(x);
  }
  auto known = this->known(value, scope);
  if (!known) {
    notKnown(value.span, fmt::format("`{}` must be known at build time", arg.name));
    return false;
  }
  invocation.statics[&arg] = *known;
  return true;
}

/// The dimensions, in the caller's names, that an argument's type names.
static DimList named(const sema::Type &type, const Invocation &invocation, DimTable &table) {
  const std::vector<const sema::Dim *> &slots = invocation.function.signature.dims;
  DimList dims;
  for (const sema::Dim *dim : type.dims)
    if (dim->kind == sema::Dim::Kind::parameter)
      llvm::append_range(dims, invocation.dims[llvm::find(slots, dim) - slots.begin()]);
    else if (dim->kind == sema::Dim::Kind::file)
      dims.push_back(table.ofProgram(dim->name));
  return dims;
}

/// Fills the slots. A slot keeps the caller's dimension unless that would capture it: because it
/// fills another slot too, because an argument brings it in its `..`, or because the callee speaks
/// of it itself.
std::vector<Renamed> Builder::openSlots(const Invocation &invocation, Scope &scope) {
  const sema::FunctionInfo &function = invocation.function;
  std::set<std::string> spoken = session.mentions(function);
  for (auto &[arg, known] : invocation.statics)
    if (auto *callee = std::get_if<Callee>(&known.value); callee && (*callee)->syntax)
      spoken.merge(std::set(session.mentions(**callee)));

  DimList brought, taken;
  for (const sema::ArgInfo &arg : function.signature.args) {
    auto value = invocation.values.find(&arg);
    if (arg.isStatic || value == invocation.values.end())
      continue;
    DimList own = named(arg.type, invocation, session.dims);
    for (DimAttr dim : value->second.dims()) {
      taken.push_back(dim);
      if (llvm::is_contained(own, dim))
        continue;
      brought.push_back(dim);
      if (!llvm::is_contained(scope.rest, dim))
        scope.rest.push_back(dim);
    }
  }
  for (const DimList &slot : invocation.dims)
    llvm::append_range(taken, slot);
  for (const std::string &name : spoken)
    taken.push_back(DimAttr::get(builder.getContext(), name));

  std::vector<Renamed> renamed;
  DimList filled;
  for (auto [parameter, group] : llvm::zip(function.signature.dims, invocation.dims)) {
    DimList &slot = scope.dims[parameter];
    for (DimAttr dim : group) {
      bool captured = llvm::is_contained(filled, dim) || llvm::is_contained(brought, dim) ||
                      spoken.contains(dim.str());
      DimAttr inner = captured ? session.dims.fresh(dim, taken) : dim;
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
  const std::vector<sema::ArgInfo> &args = invocation.function.signature.args;
  for (const sema::ArgInfo &arg : args) {
    if (!arg.isStatic)
      continue;
    auto given = invocation.statics.find(&arg);
    auto value = given != invocation.statics.end() ? std::optional(given->second)
                                                   : known(*arg.syntax->value, scope);
    if (!value) {
      notKnown(arg.syntax->name.span, fmt::format("`{}` is not known at build time", arg.name));
      return false;
    }
    scope.statics[&arg] = *value;
  }
  for (const sema::ArgInfo &arg : args) {
    if (arg.isStatic)
      continue;
    auto given = invocation.values.find(&arg);
    bool isGiven = given != invocation.values.end();
    // A default sees the slots and what is known at build time.
    Tensor x = isGiven ? given->second : expression(*arg.syntax->value, scope, {arg.name, false});
    if (!x)
      return false;
    Location loc = at(arg.syntax->name.span, arg.name);
    model::NamedTensorType wanted = type(arg.type, scope);
    if (isGiven)
      for (const Renamed &r : renamed)
        if (wanted.has(r.inner) && !(wanted.has(r.outer) && x.has(r.inner)))
          x = rename(x, r.outer, r.inner, loc);
    if (wanted.isFloat())
      x = toFloat(x, loc);
    if (!isInt(x, invocation.place))
      return false;
    DimList missing;
    for (const sema::Dim *dim : arg.type.dims)
      if (!dim->isRest())
        llvm::append_range(missing, dims(dim, scope));
    x = widen(x, missing, loc);
    if (!literalFits(x, wanted.indexed(), invocation.place))
      return false;
    scope.values[arg.variable] = x;
  }
  return true;
}

/// The result in the caller's names, with all that its declared type says it has.
Tensor Builder::close(const Invocation &invocation, Tensor result, Scope &scope,
                      ArrayRef<Renamed> renamed, StringRef name) {
  model::NamedTensorType declared = type(invocation.function.signature.result, scope);
  Location loc = at(invocation.place, name);
  if (declared.isFloat())
    result = toFloat(result, loc);
  result = widen(result, declared.getDims(), loc);
  for (const Renamed &r : renamed)
    result = outside(result, r, loc);
  return result;
}

/// `x` with a dimension as the caller calls it, also where its elements are positions of it.
Tensor Builder::outside(Tensor x, Renamed dim, Location loc) {
  x = rename(x, dim.inner, dim.outer, loc);
  if (x.type().indexed() != dim.inner)
    return x;
  MLIRContext *context = builder.getContext();
  auto element = model::DimIndexType::get(context, dim.outer);
  return conform(x, model::NamedTensorType::get(context, element, x.dims()), loc);
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

Tensor Builder::callsItself(const sema::FunctionInfo &function, Span place) {
  error(Code::E0403, place, fmt::format("`{}` calls itself", function.name))
      .suggest("set the option through which it does to another function");
  return {};
}

Tensor Builder::invoke(Invocation &invocation, Frame &caller, Bind bind) {
  const sema::FunctionInfo &function = invocation.function;
  if (llvm::is_contained(active, &function)) // through an option that was set: others were checked
    return callsItself(function, invocation.place);
  if (++inlined > maxInlined)
    return tooLarge(invocation.place, "too many calls");

  Scope scope;
  scope.frame.path = caller.path;
  if (!invocation.key.empty())
    scope.frame.path.push_back(invocation.key);
  scope.frame.loops = caller.loops;
  scope.frame.optimizes = caller.optimizes;
  scope.frame.wanted = inside(caller.wanted, invocation.key);
  llvm::append_range(scope.frame.wanted, pathsIn(function.syntax->body));

  active.push_back(&function);
  std::vector<Renamed> renamed = openSlots(invocation, scope);
  callers.push_back(at(invocation.place));
  callPlaces.push_back(invocation.place);
  Tensor result;
  if (openArguments(invocation, scope, renamed)) {
    for (auto &[variable, value] : scope.values)
      scope.frame.node->values[variable->name] = value;
    Demanding demanding(*this, function.syntax->annotations);
    auto value = body(function.syntax->body, scope, {bind.name, false});
    if (value && writeStates(scope, function.syntax->name.span))
      result = *value;
  }
  callers.pop_back();
  callPlaces.pop_back();
  active.pop_back();
  if (!result)
    return {};
  result = close(invocation, result, scope, renamed, bind.name);
  Instance instance{scope.frame.node, result, renamed};
  if (invocation.key.empty())
    caller.node->unnamed.push_back(std::move(instance));
  else
    caller.node->instances[invocation.key] = std::move(instance);
  return result;
}

} // namespace weft::lower
