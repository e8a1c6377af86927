// What `minimize` derives beside the loss: one step of the optimizer over every parameter.
#include "frontend/builtin/Minimize.h"
#include "frontend/lower/body/Derived.h"
#include "frontend/syntax/Mentions.h"
#include "ir/model/Entries.h"

#include <cfloat>
#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

/// The function's arguments: a gradient per parameter, then `step` (1 for the first) and `steps`.
std::vector<Tensor> Builder::openUpdate(func::FuncOp function, Scope &scope,
                                        ArrayRef<model::ParameterOp> parameters) {
  Block *block = builder.createBlock(&function.getBody());
  SmallVector<Type> types;
  SmallVector<Attribute> named;
  std::vector<Tensor> gradients;
  auto add = [&](StringRef name, Type type, bool isGradient) {
    SmallVector<NamedAttribute> list = {
        builder.getNamedAttr(model::attr::name, builder.getStringAttr(name))};
    if (isGradient)
      list.push_back(builder.getNamedAttr(model::attr::gradientOf, builder.getStringAttr(name)));
    types.push_back(type);
    named.push_back(builder.getDictionaryAttr(list));
    std::string shown = (isGradient ? "d." : "") + name.str();
    return Tensor{block->addArgument(type, NameLoc::get(builder.getStringAttr(shown)))};
  };
  for (model::ParameterOp parameter : parameters)
    gradients.push_back(add(parameter.getSymName(), parameter.getType(), true));
  auto whole = model::NamedTensorType::get(builder.getContext(), builder.getI32Type(), {});
  for (const char *name : {"step", "steps"})
    scope.ambient[name] = add(name, whole, false);
  for (StringRef name : filledByMinimize)
    scope.ambient.try_emplace(name.str());
  function.setFunctionType(builder.getFunctionType(types, {}));
  function.setArgAttrsAttr(builder.getArrayAttr(named));
  return gradients;
}

/// The length of all gradients as one vector.
Tensor Builder::norm(ArrayRef<Tensor> gradients, Location loc) {
  Tensor total;
  for (Tensor gradient : gradients) {
    Value square = model::MulOp::create(builder, loc, gradient.value, gradient.value);
    if (!gradient.dims().empty())
      square = model::SumOp::create(builder, loc, gradient.dims(), square);
    total =
        total ? Tensor{model::AddOp::create(builder, loc, total.value, square)} : Tensor{square};
  }
  if (!total)
    total = constant(0.0, loc);
  Location name = NameLoc::get(builder.getStringAttr("norm"), loc);
  return {model::SqrtOp::create(builder, name, total.value)};
}

/// What `clip` or `clip_value` says; null after an error.
Tensor Builder::limit(const ast::Expr &limit, StringRef name) {
  for (const ast::Name *named : mentions(limit).variables)
    if (session.configuration.options.contains(named->text))
      reads.options.insert(named->text);
  std::optional<StaticNumber> number = clauseNumber(session, limit, name);
  return number ? constant(number->value, at(limit.span)) : Tensor();
}

/// Each number of each gradient between -limit and limit, as torch.nn.utils.clip_grad_value_ does
/// it.
bool Builder::clipValues(std::vector<Tensor> &gradients, const ast::Expr &limit) {
  Tensor most = this->limit(limit, "clip_value");
  if (!most)
    return false;
  Location loc = at(limit.span);
  Value least = model::NegOp::create(builder, loc, most.value);
  for (Tensor &gradient : gradients) {
    Value below = model::MinOp::create(builder, loc, gradient.value, most.value);
    gradient.value = model::MaxOp::create(builder, loc, below, least);
  }
  return true;
}

/// gradient * min(1, limit / (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_ does it.
bool Builder::clip(std::vector<Tensor> &gradients, Tensor norm, const ast::Expr &limit) {
  Tensor most = this->limit(limit, "clip");
  if (!most)
    return false;
  Location loc = at(limit.span);
  Location name = NameLoc::get(builder.getStringAttr("scale"), loc);
  Tensor small = constant(1e-6, loc), one = constant(1.0, loc);
  Value length = model::AddOp::create(builder, loc, norm.value, small.value);
  Value ratio = model::DivOp::create(builder, loc, most.value, length);
  Value scale = model::MinOp::create(builder, name, ratio, one.value);
  for (Tensor &gradient : gradients)
    gradient.value = model::MulOp::create(builder, loc, gradient.value, scale);
  return true;
}

/// How many dimensions the source gives a parameter: groups count as one.
static size_t declaredRank(model::ParameterOp parameter) {
  model::OriginAttr origin = parameter.getOriginAttr();
  return origin ? origin.getNames().size() : 0;
}

/// The optimizer's body for one parameter; what it gives is the parameter's next value.
bool Builder::optimize(const Invocation &optimizer, model::ParameterOp parameter, Tensor gradient) {
  Invocation invocation = optimizer;
  std::string path = parameter.getSymName().str();
  auto type = cast<model::NamedTensorType>(parameter.getType());
  auto name = FlatSymbolRefAttr::get(builder.getContext(), path);
  Location loc = NameLoc::get(builder.getStringAttr(path), at(optimizer.place));
  for (const sema::ArgInfo &arg : optimizer.function.signature.args)
    if (arg.name == "value")
      invocation.values[&arg] = {model::ParamOp::create(builder, loc, type, name)};
    else if (arg.name == "gradient")
      invocation.values[&arg] = gradient;
    else if (arg.name == "matrix" && arg.isStatic)
      invocation.statics[&arg] = {declaredRank(parameter) > 1, {}};
  Frame frame;
  frame.optimizes = path;
  Tensor given = invoke(invocation, frame, {"next", false});
  if (!given)
    return false;
  Tensor next = conform(given, type, loc);
  model::AssignOp::create(builder, loc, name, next.value);
  return true;
}

/// Where the norm of all gradients is no finite number, nothing changes: everything that the update
/// assigns stays as it was. A run is told by the norm, and need not look for it before.
static void keepUnlessFinite(OpBuilder &builder, func::FuncOp function, Value norm) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(norm);
  Location loc = NameLoc::get(builder.getStringAttr("finite"), norm.getLoc());
  Value most = model::ConstantOp::create(builder, loc, builder.getF64FloatAttr(FLT_MAX));
  Value finite = model::CompareOp::create(builder, loc, model::Comparison::le, norm, most);
  llvm::StringMap<Value> before; // one read of each parameter: those after an assign are not merged
  function.walk([&](model::ParamOp read) { before.try_emplace(read.getName(), read); });
  function.walk([&](model::AssignOp assign) {
    Value next = assign.getValue(), &last = before[assign.getName()];
    builder.setInsertionPoint(assign);
    if (!last)
      last = model::ParamOp::create(builder, next.getLoc(), next.getType(), assign.getNameAttr());
    assign.getValueMutable().assign(
        model::WhereOp::create(builder, next.getLoc(), finite, next, last));
  });
}

func::FuncOp Builder::update(const MinimizeClause &clause, const std::string &name,
                             ArrayRef<model::ParameterOp> parameters) {
  Location loc = at(clause.place);
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  function->setAttr(model::attr::entry, builder.getStringAttr(name));
  function->setAttr(model::attr::kind, builder.getStringAttr("update"));
  building = name;
  Scope scope;
  std::vector<Tensor> gradients = openUpdate(function, scope, parameters);
  Tensor length = norm(gradients, loc); // before any clipping
  if (clause.clipValue && !clipValues(gradients, *clause.clipValue))
    return {};
  if (clause.clip) {
    Tensor left = clause.clipValue ? norm(gradients, loc) : length;
    if (!clip(gradients, left, *clause.clip))
      return {};
  }

  auto gathered = [&](const MinimizeClause::Optimizer &optimizer) {
    return gather(*optimizer.call, *optimizer.rule, clause.place, scope, "");
  };
  auto optimizer = gathered(clause.optimizer);
  if (!optimizer)
    return {};
  std::map<const MinimizeClause::Group *, Invocation> others;
  for (const MinimizeClause::Group &group : clause.groups)
    if (group.optimizer.rule) {
      auto other = gathered(group.optimizer);
      if (!other)
        return {};
      others.try_emplace(&group, std::move(*other));
    }
  SmallVector<std::pair<StringRef, Value>> results = {{"norm", length.value}};
  for (const sema::ArgInfo &arg : clause.optimizer.rule->signature.args) {
    if (arg.name != "rate" || arg.isStatic)
      continue;
    Tensor &rate = optimizer->values[&arg];
    Scope defaults;
    if (!rate)
      rate = expression(*arg.syntax->value, defaults, {"rate", false});
    if (!rate)
      return {};
    rate = toFloat(rate, loc);
    results.emplace_back("rate", rate.value);
  }
  for (auto [of, gradient] : llvm::zip(parameters, gradients)) {
    model::ParameterOp parameter = of;
    auto other = others.find(clause.groupOf(parameter.getSymName()));
    if (!optimize(other == others.end() ? *optimizer : other->second, parameter, gradient))
      return {};
  }
  keepUnlessFinite(builder, function, length.value);

  SmallVector<Type> types;
  SmallVector<Attribute> named;
  SmallVector<Value> values;
  for (auto [result, value] : results) {
    types.push_back(value.getType());
    values.push_back(value);
    named.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(model::attr::name, builder.getStringAttr(result))));
  }
  func::ReturnOp::create(builder, loc, values);
  function.setFunctionType(builder.getFunctionType(function.getFunctionType().getInputs(), types));
  function.setResAttrsAttr(builder.getArrayAttr(named));
  return function;
}

} // namespace weft::lower
