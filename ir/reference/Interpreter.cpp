// Entries: binds inputs to sizes, evaluates, and keeps what was assigned.
#include "ir/reference/Interpreter.h"

#include "ir/model/Entries.h"
#include "ir/reference/BindSizes.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

static std::string nameIn(DictionaryAttr attributes, StringRef fallback, unsigned i) {
  auto name = attributes ? attributes.getAs<StringAttr>(attr::name) : StringAttr();
  return name ? name.str() : fallback.str() + std::to_string(i);
}

std::string weft::reference::inputName(func::FuncOp function, unsigned i) {
  return nameIn(function.getArgAttrDict(i), "input", i);
}

std::string weft::reference::outputName(func::FuncOp function, unsigned i) {
  return nameIn(function.getResultAttrDict(i), "output", i);
}

LogicalResult Interpreter::setParameter(StringRef name, Array value) {
  auto declaration = module.lookupSymbol<ParameterOp>(name);
  if (!declaration)
    return module.emitError() << "there is no parameter `" << name << "`";
  BindSizes bind(module, [&] { return declaration.emitError(); });
  Incoming tensor = {"parameter `" + name.str() + "`", declaration.getTensor(), &value, DimAttr()};
  if (failed(bind.add(tensor)) || failed(bind.finish()))
    return failure();
  storage.before[name] = std::make_shared<const Array>(std::move(value));
  return success();
}

/// Gives every parameter that `function` reads or assigns a value: the one that was set, or its
/// constant initial value.
LogicalResult Interpreter::initialize(func::FuncOp function, const Sizes &sizes) {
  WalkResult result = function.walk([&](Operation *op) {
    auto name = op->getAttrOfType<FlatSymbolRefAttr>("name");
    if (!isa<ParamOp, AssignOp>(op) || storage.before.contains(name.getValue()))
      return WalkResult::advance();
    auto declaration = module.lookupSymbol<ParameterOp>(name.getValue());
    if (declaration.getInit() != InitKind::constant) {
      op->emitOpError() << "parameter `" << name.getValue() << "` has no value";
      return WalkResult::interrupt();
    }
    Array value;
    value.shape = sizes[declaration.getTensor().getDims()];
    double constant = declaration.getValue().convertToDouble();
    size_t count = countOf(value.shape);
    if (declaration.getTensor().isFloat())
      value.data = Floats(count, constant);
    else if (declaration.getTensor().isBool())
      value.data = Switches(count, constant != 0);
    else
      value.data = Wholes(count, int64_t(constant));
    storage.before[name.getValue()] = std::make_shared<const Array>(std::move(value));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Fails if something in `function` needs a dimension that `sizes` does not know.
static LogicalResult allKnown(func::FuncOp function, const Dims &dims, const Sizes &sizes) {
  std::string unknown;
  auto check = [&](StringRef name) {
    if (unknown.empty() && !sizes.find(name))
      unknown = name.str();
  };
  function.walk(
      [&](Operation *op) { forEachDim(op, [&](DimAttr dim) { check(dim.getValue()); }); });
  if (unknown.empty())
    return success();
  return function.emitError() << "the size of `" << unknown << "` is not known: no input of `"
                              << function.getSymName() << "` has it";
}

/// The obligations that `function` lists; if it has no list yet, those of its ops.
static SmallVector<RequireAttr> asked(func::FuncOp function) {
  SmallVector<RequireAttr> all;
  if (auto listed = function->getAttrOfType<ArrayAttr>(attr::requirements))
    llvm::append_range(all, listed.getAsRange<RequireAttr>());
  else
    for (const Obligation &each :
         demands(function, Dims(function->getParentOfType<ModuleOp>())).all)
      all.push_back(each.holds);
  return all;
}

FailureOr<std::vector<Array>> Interpreter::run(StringRef entry, ArrayRef<Array> inputs) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return module.emitError() << "there is no entry `" << entry << "`";
  if (inputs.size() != function.getNumArguments())
    return function.emitError() << "`" << entry << "` takes " << function.getNumArguments()
                                << " inputs, not " << inputs.size();

  BindSizes bind(module, [&] { return function.emitError(); });
  for (const auto &[name, size] : given)
    if (failed(bind.give(name, size)))
      return failure();
  for (auto [i, argument] : llvm::enumerate(function.getArguments()))
    if (failed(bind.add({"input `" + inputName(function, i) + "`", typeOf(argument), &inputs[i],
                         typeOf(argument).indexed()})))
      return failure();
  FailureOr<Sizes> sizes = bind.finish(asked(function), publicName(function));
  if (failed(sizes) || failed(allKnown(function, Dims(module), *sizes)) ||
      failed(initialize(function, *sizes)))
    return failure();

  std::vector<Tensor> arguments;
  for (auto [argument, input] : llvm::zip_equal(function.getArguments(), inputs))
    arguments.push_back({typeOf(argument), std::make_shared<const Array>(input)});
  storage.after.clear();
  FailureOr<std::vector<Tensor>> results =
      Evaluator(module, *sizes, random, storage, observer ? &observer : nullptr, narrow)
          .run(function.getBody().front(), arguments);
  if (failed(results))
    return failure();
  for (const auto &[name, value] : storage.after)
    storage.before[name] = value;
  std::vector<Array> arrays;
  for (const Tensor &result : *results)
    arrays.push_back(*result.array);
  return arrays;
}
