// X  ==>  X.gradient: the results of X, then the gradient of its first scalar (or of the sum of its
// only result) by every parameter.
#include "ir/model/Align.h"
#include "passes/Passes.h"
#include "passes/model/ReverseMode.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "passes/Passes.h.inc"

namespace {

/// The result to differentiate: the first float without dimensions, else the only float.
FailureOr<unsigned> differentiated(func::FuncOp function) {
  SmallVector<unsigned> floats;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto tensor = cast<NamedTensorType>(type);
    if (!tensor.isFloat())
      continue;
    if (tensor.getDims().empty())
      return i;
    floats.push_back(i);
  }
  if (floats.size() > 1)
    return function.emitError("has several float results; a gradient needs to know of which");
  if (floats.empty())
    return function.emitError("has no float result to differentiate");
  return floats.front();
}

/// Parameters that `function` reads and that are not frozen, in the order in which the module
/// declares them.
SmallVector<ParameterOp> parametersOf(func::FuncOp function, ArrayAttr frozen) {
  DenseSet<StringAttr> read;
  function.walk([&](ParamOp param) { read.insert(param.getNameAttr().getAttr()); });
  for (Attribute name : frozen ? frozen.getValue() : ArrayRef<Attribute>())
    read.erase(cast<StringAttr>(name));
  SmallVector<ParameterOp> parameters;
  for (auto parameter : function->getParentOfType<ModuleOp>().getOps<ParameterOp>())
    if (parameter.getKind() == ParameterKind::parameter &&
        read.contains(parameter.getSymNameAttr()))
      parameters.push_back(parameter);
  return parameters;
}

struct Differentiate : impl::DifferentiateBase<Differentiate> {
  using Base::Base;

  /// Makes `gradient` (a copy of what it differentiates) give gradients too, but of what is frozen.
  LogicalResult extend(func::FuncOp gradient, ArrayAttr frozen) {
    auto result = differentiated(gradient);
    if (failed(result))
      return failure();
    Block &body = gradient.front();
    auto exit = cast<func::ReturnOp>(body.getTerminator());
    SmallVector<Value> wanted;
    for (Value argument : gradient.getArguments())
      if (inputs && typeOf(argument).isFloat())
        wanted.push_back(argument);

    Dims dims(getOperation());
    Activity activity(gradient, wanted, frozen);
    OpBuilder builder(exit);
    ReverseMode reverse(builder, body, activity, dims);
    Value loss = exit.getOperand(*result);
    reverse.add(loss,
                shaped(builder, loss.getLoc(), number(builder, loss.getLoc(), 1), typeOf(loss)));
    if (failed(reverse.run()))
      return failure();

    unsigned results = gradient.getNumResults();
    SmallVector<StringAttr> names;
    auto give = [&](StringAttr name, Value value) {
      exit.getOperandsMutable().append(value);
      names.push_back(name);
    };
    for (ParameterOp parameter : parametersOf(gradient, frozen)) {
      auto type = cast<NamedTensorType>(parameter.getType());
      auto found = reverse.parameters.find(parameter.getSymNameAttr());
      Value value =
          found == reverse.parameters.end() ? number(builder, loss.getLoc(), 0) : found->second;
      give(parameter.getSymNameAttr(), shaped(builder, value.getLoc(), value, type));
    }
    for (Value input : wanted) {
      auto name = gradient.getArgAttrOfType<StringAttr>(cast<BlockArgument>(input).getArgNumber(),
                                                        "weft.name");
      give(name ? name : builder.getStringAttr(""), reverse.of(input));
    }
    gradient.setType(builder.getFunctionType(gradient.getArgumentTypes(), exit.getOperandTypes()));
    for (auto [i, name] : llvm::enumerate(names)) {
      gradient.setResultAttr(results + i, "weft.name", name);
      gradient.setResultAttr(results + i, "weft.gradient_of", name);
    }
    return success();
  }

  /// Appends a copy called `symbol`, and `name` by the world.
  LogicalResult differentiate(func::FuncOp function, const Twine &symbol, const Twine &name,
                              ArrayAttr frozen = {}) {
    func::FuncOp gradient = function.clone();
    gradient.setName(symbol.str());
    gradient->setAttr("weft.entry", StringAttr::get(&getContext(), name));
    gradient->setAttr("weft.kind", StringAttr::get(&getContext(), "gradient"));
    function->getBlock()->getOperations().insertAfter(function->getIterator(), gradient);
    return extend(gradient, frozen);
  }

  /// What the trainings of the module need: gradients of their losses, which nothing else runs.
  LogicalResult differentiateTrainings(SymbolTable &symbols) {
    auto trainings = getOperation()->getAttrOfType<ArrayAttr>("weft.trainings");
    if (!trainings)
      return success();
    for (auto training : trainings.getAsRange<DictionaryAttr>()) {
      auto loss = symbols.lookup<func::FuncOp>(training.getAs<StringAttr>("loss"));
      auto name = training.getAs<StringAttr>("gradient");
      if (!loss || symbols.lookup(name))
        continue; // derived before
      if (failed(differentiate(loss, name.getValue(), name.getValue(),
                               training.getAs<ArrayAttr>("frozen"))))
        return failure();
      symbols.erase(loss);
    }
    return success();
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (const std::string &entry : entries) {
      auto function = symbols.lookup<func::FuncOp>(entry);
      if (!function) {
        emitError(getOperation().getLoc()) << "no entry `" << entry << "` to differentiate";
        return signalPassFailure();
      }
      auto name = function->getAttrOfType<StringAttr>("weft.entry");
      if (failed(differentiate(function, entry + ".gradient",
                               (name ? name.getValue() : entry) + ".gradient")))
        return signalPassFailure();
    }
    if (failed(differentiateTrainings(symbols)))
      signalPassFailure();
  }
};

} // namespace
} // namespace weft
