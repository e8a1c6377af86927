// X  ==>  X.gradient: the results of X, then the gradient of its first scalar (or of the sum of its
// only result) by every parameter.
#include "ir/model/Entries.h"
#include "ir/model/infer/Align.h"
#include "passes/Passes.h"
#include "passes/model/ReverseMode.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "passes/Passes.h.inc"

namespace {

std::string resultsOf(func::FuncOp function) {
  std::string list;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto name = function.getResultAttrOfType<StringAttr>(i, attr::name);
    auto type = cast<NamedTensorType>(function.getResultTypes()[i]);
    std::string dims;
    for (DimAttr dim : type.getDims())
      dims += (dims.empty() ? "" : ", ") + dim.str();
    list += std::string(list.empty() ? "" : ", ") + "`" + (name ? name.str() : std::to_string(i)) +
            ": " +
            (type.isFloat()  ? "float"
             : type.isBool() ? "bool"
                             : "int") +
            "[" + dims + "]`";
  }
  return list;
}

/// The result to differentiate: the first float without dimensions, else the only float.
FailureOr<unsigned> differentiated(func::FuncOp function, const std::string &name) {
  SmallVector<unsigned> floats;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto tensor = cast<NamedTensorType>(type);
    if (!tensor.isFloat())
      continue;
    if (tensor.getDims().empty())
      return i;
    floats.push_back(i);
  }
  if (floats.size() == 1)
    return floats.front();
  InFlightDiagnostic error = function.emitError("no gradient of `") << name << "`: ";
  if (floats.empty())
    error << "none of its results is a float: " << resultsOf(function);
  else
    error << "it has several float results, none of which is a single number: "
          << resultsOf(function);
  error.attachNote() << "help: let it give the number too whose gradient is wanted, such as a sum";
  return error;
}

/// The parameters of which a gradient is given, in the order in which the module declares them:
/// those of `named`, also where the result does not depend on them, and those that `function` still
/// reads; none that is `frozen`.
SmallVector<ParameterOp> parametersOf(func::FuncOp function, ArrayAttr named, ArrayAttr frozen) {
  DenseSet<StringAttr> read;
  function.walk([&](ParamOp param) { read.insert(param.getNameAttr().getAttr()); });
  for (Attribute name : named ? named.getValue() : ArrayRef<Attribute>())
    read.insert(cast<StringAttr>(name));
  for (Attribute name : frozen ? frozen.getValue() : ArrayRef<Attribute>())
    read.erase(cast<StringAttr>(name));
  SmallVector<ParameterOp> parameters;
  for (auto parameter : function->getParentOfType<ModuleOp>().getOps<ParameterOp>())
    if (parameter.getKind() == ParameterKind::parameter &&
        read.contains(parameter.getSymNameAttr()))
      parameters.push_back(parameter);
  return parameters;
}

/// What an update takes gradients of.
ArrayAttr takenBy(func::FuncOp update) {
  SmallVector<Attribute> names;
  for (unsigned i = 0; update && i < update.getNumArguments(); ++i)
    if (auto of = update.getArgAttrOfType<StringAttr>(i, attr::gradientOf))
      names.push_back(of);
  return update ? ArrayAttr::get(update.getContext(), names) : ArrayAttr();
}

/// Of what gradients are wanted, beside parameters that are read.
struct Wanted {
  ArrayAttr parameters, frozen;
  bool inputs = false;
};

struct Differentiate : impl::DifferentiateBase<Differentiate> {
  using Base::Base;

  /// Makes `gradient` (a copy of the function to differentiate) return gradients too, except of
  /// what is frozen.
  LogicalResult extend(func::FuncOp gradient, const Wanted &of, const std::string &name) {
    auto result = differentiated(gradient, name);
    if (failed(result))
      return failure();
    Block &body = gradient.front();
    auto exit = cast<func::ReturnOp>(body.getTerminator());
    SmallVector<Value> wanted;
    for (Value argument : gradient.getArguments())
      if (of.inputs && typeOf(argument).isFloat())
        wanted.push_back(argument);

    Dims dims(getOperation());
    Activity activity(gradient, wanted, of.frozen);
    OpBuilder builder(exit);
    ReverseMode reverse(builder, body, activity, dims, KeepPrice{price});
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
    for (ParameterOp parameter : parametersOf(gradient, of.parameters, of.frozen)) {
      auto type = cast<NamedTensorType>(parameter.getType());
      auto found = reverse.parameters.find(parameter.getSymNameAttr());
      Value value =
          found == reverse.parameters.end() ? number(builder, loss.getLoc(), 0) : found->second;
      give(parameter.getSymNameAttr(), shaped(builder, value.getLoc(), value, type));
    }
    for (Value input : wanted) {
      auto name = gradient.getArgAttrOfType<StringAttr>(cast<BlockArgument>(input).getArgNumber(),
                                                        attr::name);
      give(name ? name : builder.getStringAttr(""), reverse.of(input));
    }
    gradient.setType(builder.getFunctionType(gradient.getArgumentTypes(), exit.getOperandTypes()));
    for (auto [i, name] : llvm::enumerate(names)) {
      gradient.setResultAttr(results + i, attr::name, name);
      gradient.setResultAttr(results + i, attr::gradientOf, name);
    }
    return success();
  }

  /// Inserts a differentiated copy with the name `symbol`, and the public name `name`.
  LogicalResult differentiate(func::FuncOp function, const Twine &symbol, const Twine &name,
                              const Wanted &of) {
    func::FuncOp gradient = function.clone();
    gradient.setName(symbol.str());
    gradient->setAttr(attr::entry, StringAttr::get(&getContext(), name));
    gradient->setAttr(attr::kind, StringAttr::get(&getContext(), "gradient"));
    function->getBlock()->getOperations().insertAfter(function->getIterator(), gradient);
    return extend(gradient, of, publicName(function).str());
  }

  /// What the trainings of the module need: gradients of their losses, which nothing else runs.
  LogicalResult differentiateTrainings(SymbolTable &symbols) {
    for (auto training : getOperation().getOps<TrainingOp>()) {
      auto loss = symbols.lookup<func::FuncOp>(training.getLoss());
      StringAttr name = training.getGradientAttr().getAttr();
      if (!loss || symbols.lookup(name))
        continue; // derived before
      Wanted of{takenBy(symbols.lookup<func::FuncOp>(training.getUpdate())),
                training.getFrozenAttr()};
      if (failed(differentiate(loss, name.getValue(), name.getValue(), of)))
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
      Wanted of{function->getAttrOfType<ArrayAttr>(attr::parameters), {}, inputs};
      function->removeAttr(attr::parameters);
      if (failed(differentiate(function, entry + ".gradient",
                               publicName(function).str() + ".gradient", of)))
        return signalPassFailure();
    }
    if (failed(differentiateTrainings(symbols)))
      signalPassFailure();
  }
};

} // namespace
} // namespace weft
