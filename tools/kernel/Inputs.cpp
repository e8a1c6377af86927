// Sizes and operands for a kernel of which nothing but its text is known.
#include "tools/kernel/Inputs.h"

#include "ir/kernel/RowProgram.h"
#include "ir/model/Bfloat16.h"
#include "ir/model/Dims.h"
#include "ir/model/FloatFunctions.h"
#include "ir/model/Traits.h"
#include "tools/kernel/Interpreted.h"
#include "tools/kernel/storage/GroupedRows.h"
#include "tools/kernel/storage/GroupedWeights.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace weft::trial {

AllSizes sizesOf(mlir::ModuleOp module, const Sizes &given, bool small) {
  model::Dims dims(module);
  const int64_t some[] = {3, 5, 2, 7};
  AllSizes all;
  Sizes base;
  for (model::DimOp dim : dims.declared()) {
    std::string name = dim.getSymName().str();
    if (dim.getSize())
      continue;
    if (auto at = given.find(name); at != given.end())
      base[name] = at->second;
    else if (small)
      base[name] = some[base.size() % std::size(some)];
    else if (all.missing.empty())
      all.missing = name;
  }
  if (!all.missing.empty())
    return all;
  auto evaluate = [&](const Size &size) {
    return *size.evaluate(
        [&](const std::string &name) { return std::optional<int64_t>(base.at(name)); });
  };
  // A free size that bounds others (the capacity of a cache) is as large as they are.
  for (model::DimOp dim : dims.declared())
    if (auto bound = dim.getBound())
      for (const std::string &name : dims.resolve(bound->getValue()).dims())
        if (!given.contains(name))
          base[name] = std::max(base[name], evaluate(dims.size(dim.getSymName())));
  for (model::DimOp dim : dims.declared())
    all.sizes[dim.getSymName().str()] = evaluate(dims.size(dim.getSymName()));
  for (const auto &[name, size] : given)
    if (auto at = all.sizes.find(name); at != all.sizes.end() && at->second != size)
      all.beyond =
          llvm::formatv("`{0}` is {1}, which does not come with the data", name, at->second);
  for (model::DimOp dim : dims.declared())
    if (auto bound = dim.getBound()) {
      int64_t size = all.sizes.at(dim.getSymName().str());
      if (int64_t most = evaluate(dims.resolve(bound->getValue()));
          size > most && all.beyond.empty())
        all.beyond = llvm::formatv("`{0}` is {1}, and at most {2}", dim.getSymName(), size, most);
    }
  return all;
}

int64_t wholeLimit(kernel::FusedOp op, model::NamedTensorType type, const Sizes &sizes,
                   int64_t most) {
  if (model::DimAttr dim = type.indexed())
    return std::min(most, sizes.at(dim.str()));
  op.walk([&](mlir::Operation *inner) {
    if (isa<model::GatherOp, model::ScatterOp>(inner))
      most = std::min(most, sizes.at(inner->getAttrOfType<model::DimAttr>("dim").str()));
  });
  return most;
}

namespace {

const model::FloatFunction *functionOf(mlir::Operation *op) {
  llvm::StringRef name = op->getName().stripDialect();
  return model::findFloatFunction(std::string_view(name.data(), name.size()));
}

/// Goes from what has no value below 0 (a root, a logarithm, the base of a power that is not whole)
/// to the operands that it is made up of by sums, products and quotients.
class NeverNegative {
public:
  llvm::DenseSet<unsigned> operands; ///< their numbers

  explicit NeverNegative(kernel::FusedOp op) {
    op.walk([&](mlir::Operation *inner) {
      if (const model::FloatFunction *function = functionOf(inner))
        if (std::isnan(function->evaluate(-1)))
          require(inner->getOperand(0));
      if (auto power = dyn_cast<model::PowOp>(inner); power && !isWhole(power.getRhs()))
        require(power.getLhs());
    });
  }

private:
  static bool isWhole(mlir::Value exponent) {
    auto constant = exponent.getDefiningOp<model::ConstantOp>();
    auto number = constant ? dyn_cast<mlir::FloatAttr>(constant.getValue()) : mlir::FloatAttr();
    return number && std::floor(number.getValueAsDouble()) == number.getValueAsDouble();
  }

  void require(mlir::Value value) {
    if (!model::typeOf(value).isFloat() || !seen.insert(value).second)
      return;
    if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
      operands.insert(argument.getArgNumber());
      return;
    }
    mlir::Operation *op = value.getDefiningOp();
    if (auto product = dyn_cast<model::MulOp>(op); product && product.getLhs() == product.getRhs())
      return; // a square
    if (auto difference = dyn_cast<model::SubOp>(op))
      return require(difference.getLhs());
    bool made = kernel::isElementwise(op) || kernel::isReduction(op) || isa<model::Moving>(op);
    if (made && !functionOf(op) && !isa<model::PowOp>(op))
      for (mlir::Value operand : op->getOperands())
        require(operand);
  }

  llvm::DenseSet<mlir::Value> seen;
};

} // namespace

static Tensor inputOf(kernel::FusedOp op, unsigned number, const Sizes &sizes, bool positive) {
  model::NamedTensorType type = model::typeOf(op.getOperand(number));
  auto layout = dyn_cast<kernel::LayoutAttr>(op.getLayoutsAttr()[number]);
  std::vector<std::string> all, varying;
  for (model::DimAttr dim : type.getDims()) {
    all.push_back(dim.str());
    if (!layout || layout.stride(dim))
      varying.push_back(dim.str());
  }
  Tensor values = type.isFloat() ? Tensor::normal(varying, sizes, number + 1)
                                 : Tensor::whole(varying, sizes,
                                                 type.isBool() ? 2 : wholeLimit(op, type, sizes, 5),
                                                 number + 1);
  if (type.isFloat() && positive)
    for (double &x : values.data)
      x = float(0.1 + std::abs(x));
  if (varying == all)
    return values;
  return Tensor::of(all, sizes, [&](const Index &index) { return values.at(index); });
}

/// Who puts weights into memory rounds them, which must change nothing. The first time it may:
/// where a scale was rounded up so far that the largest number is 126, the next one is smaller.
template <class Groups> static void settle(Tensor &weights, const Groups &groups) {
  for (std::vector<double> before; before != weights.data;) {
    before = weights.data;
    groups.round(weights.data);
  }
}

/// Those that are stored as bfloat16 are such numbers; weights that share a scale, multiples of
/// one.
static void round(kernel::FusedOp op, std::vector<Tensor> &inputs) {
  for (auto [input, layout] : llvm::zip(inputs, op.getLayoutsAttr()))
    if (kernel::weightFormatOf(layout))
      settle(input, GroupedWeights(cast<kernel::PanelsAttr>(layout), input.dims, input.shape));
    else if (isGroupedRows(layout))
      settle(input, GroupedRows(cast<kernel::LayoutAttr>(layout), input.dims, input.shape));
    else if (kernel::storageIn(layout))
      llvm::transform(input.data, input.data.begin(), model::roundedToBfloat16);
}

std::vector<Tensor> inputsOf(kernel::FusedOp op, const Sizes &sizes, bool positive) {
  std::vector<Tensor> inputs;
  llvm::DenseSet<unsigned> above = NeverNegative(op).operands;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    inputs.push_back(inputOf(op, i, sizes, positive || above.contains(i)));
  round(op, inputs);
  giveForwardResults(op, sizes, inputs);
  round(op, inputs);
  return inputs;
}

} // namespace weft::trial
