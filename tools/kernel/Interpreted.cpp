// What the float64 interpreter makes of a kernel's ops.
#include "tools/kernel/Interpreted.h"

#include "ir/reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

using namespace llvm;
using mlir::OpBuilder;

namespace weft::trial {

static reference::Array arrayOf(const Tensor &tensor, mlir::Type element) {
  reference::Array array;
  array.shape.assign(tensor.shape.begin(), tensor.shape.end());
  if (element.isF32())
    array.data = reference::Floats(tensor.data.begin(), tensor.data.end());
  else if (element.isInteger(1))
    array.data = reference::Switches(tensor.data.begin(), tensor.data.end());
  else
    array.data = reference::Wholes(tensor.data.begin(), tensor.data.end());
  return array;
}

static Tensor tensorOf(const reference::Array &array, mlir::Value value, const Sizes &sizes) {
  std::vector<std::string> dims;
  for (model::DimAttr dim : model::typeOf(value).getDims())
    dims.push_back(dim.str());
  Tensor tensor(dims, sizes);
  std::visit([&](const auto &data) { tensor.data.assign(data.begin(), data.end()); }, array.data);
  return tensor;
}

/// Writes ops behind copies of those that come before, and gives the values that are wanted.
using Wanted = function_ref<SmallVector<mlir::Value>(OpBuilder &, mlir::IRMapping &)>;

/// Runs the first ops of the kernel, those before `end`, and what `wanted` adds, as a function
/// beside the dimensions.
static std::optional<std::vector<Tensor>> runOps(kernel::FusedOp op, mlir::Operation *end,
                                                 Wanted wanted, const Sizes &sizes,
                                                 const std::vector<Tensor> &inputs,
                                                 RandomKey random,
                                                 const reference::NarrowWeights &narrow = {}) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(op.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  for (auto dim : op->getParentOfType<mlir::ModuleOp>().getOps<model::DimOp>())
    builder.clone(*dim);
  mlir::Block &ops = op.getBody().front();
  auto function = mlir::func::FuncOp::create(builder, op.getLoc(), "interpreted",
                                             builder.getFunctionType(ops.getArgumentTypes(), {}));
  mlir::Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  mlir::IRMapping copies;
  copies.map(ops.getArguments(), body->getArguments());
  for (mlir::Operation &each : ops) {
    if (&each == end)
      break;
    builder.clone(each, copies);
  }
  SmallVector<mlir::Value> results = wanted(builder, copies);
  mlir::func::ReturnOp::create(builder, op.getLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(ops.getArgumentTypes(), mlir::ValueRange(results).getTypes()));

  llvm::StringMap<int64_t> given;
  for (auto dim : module->getOps<model::DimOp>())
    if (auto at = sizes.find(dim.getSymName().str()); at != sizes.end() && !dim.getSize())
      given[dim.getSymName()] = at->second;
  std::vector<reference::Array> arrays;
  for (auto [input, argument] : zip_equal(inputs, ops.getArguments()))
    arrays.push_back(arrayOf(input, model::typeOf(argument).getElement()));
  reference::Interpreter interpreter(*module, given);
  interpreter.setRandom({random.seed, random.step});
  interpreter.setNarrowWeights(narrow);
  auto outputs = interpreter.run("interpreted", arrays);
  if (failed(outputs))
    return std::nullopt;
  std::vector<Tensor> tensors;
  for (auto [value, output] : zip_equal(results, *outputs))
    tensors.push_back(tensorOf(output, value, sizes));
  return tensors;
}

static std::optional<std::vector<Tensor>> interpretBy(kernel::FusedOp op, const Sizes &sizes,
                                                      const std::vector<Tensor> &inputs,
                                                      RandomKey random,
                                                      const reference::NarrowWeights &narrow) {
  mlir::Operation *yield = op.getBody().front().getTerminator();
  auto yielded = [&](OpBuilder &, mlir::IRMapping &copies) {
    return map_to_vector(yield->getOperands(),
                         [&](mlir::Value value) { return copies.lookup(value); });
  };
  return runOps(op, yield, yielded, sizes, inputs, random, narrow);
}

std::optional<std::vector<Tensor>> interpret(kernel::FusedOp op, const Sizes &sizes,
                                             const std::vector<Tensor> &inputs, RandomKey random) {
  return interpretBy(op, sizes, inputs, random, {});
}

std::optional<std::vector<Tensor>> boundsOfNarrowWeights(kernel::FusedOp op, const Sizes &sizes,
                                                         const std::vector<Tensor> &inputs) {
  mlir::Block &body = op.getBody().front();
  bool narrows = any_of(body.getOps<model::AttentionOp>(),
                        [](auto each) { return each.getNarrowWeights(); }) ||
                 any_of(body.getOps<model::AttentionGradOp>(),
                        [](auto each) { return each.getNarrowWeights(); });
  if (!narrows)
    return std::nullopt;
  reference::NarrowWeights bounds;
  bounds.bounds = true;
  return interpretBy(op, sizes, inputs, {}, bounds);
}

void giveForwardResults(kernel::FusedOp op, const Sizes &sizes, std::vector<Tensor> &inputs) {
  auto gradients = op.getBody().front().getOps<model::AttentionGradOp>();
  if (gradients.empty())
    return;
  model::AttentionGradOp gradient = *gradients.begin();
  auto output = dyn_cast<mlir::BlockArgument>(gradient.getOutput());
  auto lse = dyn_cast<mlir::BlockArgument>(gradient.getLse());
  if (!output || !lse)
    return;
  auto forward = [&](OpBuilder &builder, mlir::IRMapping &copies) {
    auto copied = [&](mlir::Value value) { return value ? copies.lookup(value) : mlir::Value(); };
    auto attention = model::AttentionOp::create(
        builder, op.getLoc(), gradient.getKeyAttr(), gradient.getDepthAttr(),
        copied(gradient.getQ()), copied(gradient.getK()), copied(gradient.getV()),
        copied(gradient.getMask()), copied(gradient.getBias()), copied(gradient.getKeep()),
        gradient.getScaleAttr(), gradient.getCapAttr(), gradient.getKeepFactorAttr(),
        gradient.getCappedBiasAttr());
    return SmallVector<mlir::Value>{attention.getOutput(), attention.getLse()};
  };
  auto results = runOps(op, gradient, forward, sizes, inputs, {});
  if (!results)
    return;
  for (auto [argument, result] :
       {std::pair(output, &(*results)[0]), std::pair(lse, &(*results)[1])}) {
    Tensor &input = inputs[argument.getArgNumber()];
    Tensor given = *result; // its dimensions may be in another order
    input = Tensor::of(input.dims, sizes, [&](const Index &at) { return given.at(at); });
  }
}

} // namespace weft::trial
