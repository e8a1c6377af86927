// What programs are run on.
#include "tools/reduce/expected/Inputs.h"

#include "llvm/ADT/StringSet.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace weft::reduce {

using model::Dims;
using model::NamedTensorType;
using reference::Array;

static std::optional<int64_t> evaluated(const Size &size, const SizeMap &sizes) {
  return size.evaluate([&](const std::string &name) -> std::optional<int64_t> {
    auto found = sizes.find(name);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
  });
}

SizeMap drawSizes(ModuleOp module, const SizeMap &given, uint64_t seed) {
  static constexpr int64_t likely[] = {1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17};
  Dims dims(module);
  SizeMap sizes = given;
  for (model::DimOp op : dims.declared()) {
    std::string name = op.getSymName().str();
    if (sizes.count(name) || dims.size(name) != Size::dim(name))
      continue;
    Numbers numbers(seed, "size of " + name);
    int64_t size = likely[numbers.below(std::size(likely))];
    if (model::SizeAttr bound = op.getBoundAttr())
      if (auto most = evaluated(dims.resolve(bound.getValue()), sizes); most && *most > 0)
        size = numbers.chance(0.95) ? 1 + (size - 1) % *most : *most + 1;
    sizes[name] = size;
  }
  return sizes;
}

namespace {
/// A few of the values become what programs seldom meet, and must take as the interpreter does.
/// None is near the largest float: whether a product of three overflows is a matter of their order.
void drawExtremes(reference::Floats &values, Numbers &numbers) {
  constexpr double infinite = std::numeric_limits<double>::infinity(),
                   extremes[] = {infinite, -infinite, std::numeric_limits<double>::quiet_NaN(),
                                 -0.0};
  if (values.empty() || numbers.chance(0.3))
    return;
  for (uint64_t left = 1 + numbers.below(3); left > 0; --left)
    values[numbers.below(values.size())] = extremes[numbers.below(std::size(extremes))];
}

Array drawFloats(Array array, int64_t count, Numbers numbers, Drawn drawn) {
  double scale = numbers.chance(0.1) ? 8 : numbers.chance(0.1) ? 0.05 : 1;
  double base = !drawn.ties && drawn.far ? 1000 : 0; // of which differences count
  reference::Floats values(count);
  for (double &value : values) {
    value = drawn.ties ? 0.5 * std::round(2 * numbers.normal()) : base + scale * numbers.normal();
    value = static_cast<float>(value);
  }
  if (drawn.extreme)
    drawExtremes(values, numbers);
  array.data = std::move(values);
  return array;
}

Array draw(NamedTensorType type, SmallVector<int64_t> shape, std::optional<int64_t> positions,
           Numbers numbers, Drawn drawn = {}) {
  Array array;
  array.shape = std::move(shape);
  int64_t count = reference::countOf(array.shape);
  if (type.isFloat())
    return drawFloats(std::move(array), count, numbers, drawn);
  if (type.isBool()) {
    double share = numbers.chance(0.2) ? 0.15 : numbers.chance(0.1) ? 1 : 0.65;
    reference::Switches values(count);
    for (uint8_t &value : values)
      value = numbers.chance(share);
    array.data = std::move(values);
    return array;
  }
  reference::Wholes values(count);
  bool wide = numbers.chance(0.1);
  for (int64_t &value : values) {
    if (positions)
      value = static_cast<int64_t>(numbers.below(std::max<int64_t>(*positions, 1)));
    else if (wide)
      value = static_cast<int32_t>(numbers.next());
    else
      value = static_cast<int64_t>(numbers.below(12)) - 3;
  }
  array.data = std::move(values);
  return array;
}
} // namespace

std::vector<Array> drawInputs(func::FuncOp function, const SizeMap &sizes, uint64_t seed,
                              Drawn drawn) {
  Dims dims(function->getParentOfType<ModuleOp>());
  auto sizeOf = [&](model::DimAttr dim) {
    return std::max<int64_t>(evaluated(dims.size(dim), sizes).value_or(1), 0);
  };
  std::vector<Array> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    NamedTensorType type = model::typeOf(function.getArgument(i));
    SmallVector<int64_t> shape;
    for (model::DimAttr dim : type.getDims())
      shape.push_back(sizeOf(dim));
    std::optional<int64_t> positions;
    if (model::DimAttr index = type.indexed())
      positions = sizeOf(index);
    inputs.push_back(draw(type, std::move(shape), positions,
                          Numbers(seed, "input " + reference::inputName(function, i)), drawn));
  }
  return inputs;
}

llvm::StringMap<int64_t> missingSizes(func::FuncOp function, const SizeMap &sizes) {
  Dims dims(function->getParentOfType<ModuleOp>());
  llvm::StringSet<> brought;
  for (Value argument : function.getArguments())
    for (model::DimAttr dim : model::typeOf(argument).getDims())
      brought.insert(dim.getValue());
  llvm::StringMap<int64_t> missing;
  auto add = [&](model::DimAttr dim) {
    for (const std::string &name : dims.size(dim).dims())
      if (!brought.contains(name) && sizes.count(name))
        missing[name] = sizes.at(name);
  };
  function.walk([&](Operation *op) { model::forEachDim(op, add); });
  return missing;
}

std::optional<std::string> impossibleSize(func::FuncOp function, const SizeMap &sizes) {
  Dims dims(function->getParentOfType<ModuleOp>());
  std::optional<std::string> found;
  auto look = [&](model::DimAttr dim) {
    Size size = dims.size(dim);
    if (!llvm::all_of(size.dims(), [&](const std::string &name) { return sizes.count(name); }))
      return;
    std::optional<int64_t> value = evaluated(size, sizes);
    std::string of = "`" + dim.str() + "` = " + size.str();
    if (!value)
      found = of + " is not whole";
    else if (*value < 1)
      found = of + " is " + std::to_string(*value);
    for (model::DimOp op : dims.declared())
      if (model::SizeAttr bound = op.getBoundAttr(); bound && op.getDim() == dim && value)
        if (auto most = evaluated(dims.resolve(bound.getValue()), sizes); most && *value > *most)
          found = of + " is " + std::to_string(*value) + " of " + std::to_string(*most);
  };
  for (TypeRange types : {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types)
      for (model::DimAttr dim : cast<NamedTensorType>(type).getDims())
        look(dim);
  function.walk([&](Operation *op) { model::forEachDim(op, look); });
  return found;
}

reference::NamedArrays drawParameters(ModuleOp module, uint64_t seed) {
  Dims dims(module);
  reference::NamedArrays all;
  for (auto parameter : module.getOps<model::ParameterOp>()) {
    NamedTensorType type = parameter.getTensor();
    SmallVector<int64_t> shape;
    for (model::DimAttr dim : type.getDims())
      shape.push_back(dims.fixed(dim).value_or(1));
    Numbers numbers(seed, "parameter " + parameter.getSymName().str());
    Array array = draw(type, std::move(shape), std::nullopt, numbers);
    if (auto *values = std::get_if<reference::Floats>(&array.data)) {
      bool isWeight = parameter.getKind() == model::ParameterKind::parameter;
      double start = parameter.getInit() == model::InitKind::constant
                         ? parameter.getValue().convertToDouble()
                         : 0;
      // States hold variances and counts: they stay on the side of where they start.
      for (double &value : *values)
        value = static_cast<float>(start + (isWeight ? 0.4 * value : 0.3 * std::abs(value)));
    }
    all[parameter.getSymName()] = std::move(array);
  }
  return all;
}

} // namespace weft::reduce
