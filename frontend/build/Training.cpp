// What `minimize` derives beside the loss: one step of the optimizer over every parameter.
#include "frontend/Minimize.h"
#include "frontend/build/Builder.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::build {

/// The function's arguments: a gradient per parameter, then `step` (1 for the first) and `steps`.
std::vector<Tensor> Builder::openUpdate(func::FuncOp function, Scope &scope,
                                        ArrayRef<model::ParameterOp> parameters) {
  Block *block = builder.createBlock(&function.getBody());
  SmallVector<Type> types;
  SmallVector<Attribute> named;
  std::vector<Tensor> gradients;
  auto add = [&](StringRef name, Type type, bool isGradient) {
    SmallVector<NamedAttribute> list = {
        builder.getNamedAttr("weft.name", builder.getStringAttr(name))};
    if (isGradient)
      list.push_back(builder.getNamedAttr("weft.gradient_of", builder.getStringAttr(name)));
    types.push_back(type);
    named.push_back(builder.getDictionaryAttr(list));
    std::string shown = (isGradient ? "d." : "") + name.str();
    return Tensor{block->addArgument(type, NameLoc::get(builder.getStringAttr(shown))), {}};
  };
  for (model::ParameterOp parameter : parameters)
    gradients.push_back(add(parameter.getSymName(), parameter.getType(), true));
  auto whole = model::NamedTensorType::get(builder.getContext(), builder.getI64Type(), {});
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
    SmallVector<Attribute> over(gradient.dims().begin(), gradient.dims().end());
    if (!over.empty())
      square = model::SumOp::create(builder, loc, builder.getArrayAttr(over), square);
    total = total ? Tensor{model::AddOp::create(builder, loc, total.value, square), {}}
                  : Tensor{square, {}};
  }
  if (!total)
    total = constant(0.0, loc);
  Location name = NameLoc::get(builder.getStringAttr("norm"), loc);
  return {model::SqrtOp::create(builder, name, total.value), {}};
}

/// gradient * min(1, limit / (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_ does it.
bool Builder::clip(std::vector<Tensor> &gradients, Tensor norm, const ast::Expr &limit,
                   Scope &scope) {
  auto known = staticValue(limit, scope);
  auto *number = known ? std::get_if<StaticNumber>(&*known) : nullptr;
  if (!number || !(number->value > 0)) {
    unsupported(limit.span, "`clip` takes a positive number");
    return false;
  }
  Location loc = at(limit.span);
  Location name = NameLoc::get(builder.getStringAttr("scale"), loc);
  Tensor most = constant(number->value, loc), small = constant(1e-6, loc), one = constant(1.0, loc);
  Value length = model::AddOp::create(builder, loc, norm.value, small.value);
  Value ratio = model::DivOp::create(builder, loc, most.value, length);
  Value scale = model::MinOp::create(builder, name, ratio, one.value);
  for (Tensor &gradient : gradients)
    gradient.value = model::MulOp::create(builder, loc, gradient.value, scale);
  return true;
}

/// How many dimensions the source gives a parameter: groups count as one.
static size_t declaredRank(model::ParameterOp parameter) {
  auto origin = parameter->getAttrOfType<DictionaryAttr>("weft.origin");
  return origin ? cast<ArrayAttr>(origin.get("dims")).size() : 0;
}

/// The optimizer's body for one parameter; what it gives is the parameter's next value.
bool Builder::optimize(const Invocation &optimizer, model::ParameterOp parameter, Tensor gradient) {
  Invocation invocation = optimizer;
  std::string path = parameter.getSymName().str();
  auto type = cast<model::NamedTensorType>(parameter.getType());
  auto name = FlatSymbolRefAttr::get(builder.getContext(), path);
  Location loc = NameLoc::get(builder.getStringAttr(path), at(optimizer.place));
  invocation.values["value"] = {model::ParamOp::create(builder, loc, type, name), {}};
  invocation.values["gradient"] = gradient;
  for (const ast::Arg &arg : optimizer.function.args)
    if (arg.name.text == "matrix" && !arg.type)
      invocation.statics["matrix"] = declaredRank(parameter) > 1;
  Frame frame;
  frame.optimizes = path;
  Tensor next = invoke(invocation, frame, {"next", false});
  if (next)
    next = conform(next, type, loc);
  if (!next)
    return static_cast<bool>(
        unsupported(optimizer.place, fmt::format("`{}` does not give `{}` a new value of its type",
                                                 optimizer.function.name.text, path)));
  model::AssignOp::create(builder, loc, name, next.value);
  return true;
}

func::FuncOp Builder::update(const MinimizeClause &clause, const std::string &name,
                             ArrayRef<model::ParameterOp> parameters) {
  Location loc = at(clause.place);
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  function->setAttr("weft.entry", builder.getStringAttr(name));
  function->setAttr("weft.kind", builder.getStringAttr("update"));
  Scope scope;
  std::vector<Tensor> gradients = openUpdate(function, scope, parameters);
  Tensor length = norm(gradients, loc);
  if (clause.clip && !clip(gradients, length, *clause.clip, scope))
    return {};

  auto optimizer = gather(*clause.optimizer, *clause.rule, clause.place, scope, "");
  if (!optimizer)
    return {};
  SmallVector<std::pair<StringRef, Value>> results = {{"norm", length.value}};
  for (const ast::Arg &arg : clause.rule->args) {
    if (arg.name.text != "rate" || !arg.type)
      continue;
    Tensor &rate = optimizer->values["rate"];
    Scope defaults;
    if (!rate)
      rate = arg.value ? expression(*arg.value, defaults, {"rate", false}) : Tensor();
    if (!rate || !rate.dims().empty())
      return unsupported(clause.optimizer->callee.span, "`rate` must be one number"),
             func::FuncOp();
    rate = toFloat(rate, loc);
    results.emplace_back("rate", rate.value);
  }
  for (auto [parameter, gradient] : llvm::zip(parameters, gradients))
    if (!optimize(*optimizer, parameter, gradient))
      return {};

  SmallVector<Type> types;
  SmallVector<Attribute> named;
  SmallVector<Value> values;
  for (auto [result, value] : results) {
    types.push_back(value.getType());
    values.push_back(value);
    named.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr("weft.name", builder.getStringAttr(result))));
  }
  func::ReturnOp::create(builder, loc, values);
  function.setFunctionType(builder.getFunctionType(function.getFunctionType().getInputs(), types));
  function.setResAttrsAttr(builder.getArrayAttr(named));
  return function;
}

} // namespace weft::build
