// Loops over layers, and the parameters that each pass sees.
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

LogicalResult Evaluator::repeat(RepeatOp op) {
  DimAttr dim = op.getDimAttr();
  int64_t count = sizes[dim];
  std::vector<Tensor> carried;
  for (Value value : op.getCarried())
    carried.push_back(get(value));
  std::vector<Array> stacks;
  for (Value value : op.getResults().drop_front(carried.size()))
    stacks.push_back(zeros(typeOf(value)));

  for (int64_t pass = 0; pass < count; ++pass) {
    int64_t position = op.getReverse() ? count - 1 - pass : pass;
    std::vector<Tensor> arguments = carried;
    for (auto [value, argument] : llvm::zip_equal(op.getSlices(), op.getPassSlices()))
      arguments.push_back(
          tensor(typeOf(argument), copied(get(value), typeOf(argument), std::pair(dim, position))));
    passes.push_back({dim, position});
    FailureOr<std::vector<Tensor>> yielded = run(op.getBody().front(), arguments);
    passes.pop_back();
    if (failed(yielded))
      return failure();
    std::copy_n(yielded->begin(), carried.size(), carried.begin());
    for (auto [stack, value] :
         llvm::zip_equal(stacks, ArrayRef(*yielded).drop_front(carried.size())))
      // `dim` is the outermost dimension, so a pass fills one contiguous piece.
      std::visit(
          [&, &value = value](auto &out) {
            const auto &in = value.array->template as<std::decay_t<decltype(out)>>();
            llvm::copy(in, out.begin() + position * in.size());
          },
          stack.data);
  }
  for (auto [value, result] : llvm::zip(op.getResults(), carried))
    values[value] = result;
  for (auto [value, stack] : llvm::zip_equal(op.getResults().drop_front(carried.size()), stacks))
    values[value] = tensor(typeOf(value), std::move(stack));
  return success();
}

std::pair<int64_t, Strides> Evaluator::passOf(ParameterOp declaration, NamedTensorType type) {
  ArrayRef<DimAttr> stored = cast<NamedTensorType>(declaration.getType()).getDims();
  int64_t start = 0;
  for (auto [dim, position] : passes)
    if (llvm::is_contained(stored.take_front(declaration.getLoops()), dim))
      start += position * sizes.strides(stored, dim)[0];
  return {start, sizes.strides(stored, type.getDims())};
}

Array Evaluator::parameter(ParamOp op) {
  NamedTensorType type = typeOf(op.getResult());
  auto [start, strides] = passOf(module.lookupSymbol<ParameterOp>(op.getName()), type);
  const Array &stored = *storage.before.at(op.getName());
  Array result = zeros(type);
  std::visit(
      [&, start = start, &strides = strides](auto &out) {
        const auto &in = stored.as<std::decay_t<decltype(out)>>();
        size_t next = 0;
        walk<1>(result.shape, {strides}, [&](auto at) { out[next++] = in[start + at[0]]; });
      },
      result.data);
  return result;
}

void Evaluator::assign(AssignOp op) {
  Tensor value = get(op.getValue());
  auto [start, strides] = passOf(module.lookupSymbol<ParameterOp>(op.getName()), value.type);
  // Passes that assign nothing keep what was there.
  auto [entry, isNew] = storage.after.try_emplace(op.getName(), storage.before.at(op.getName()));
  Array stored = *entry->second;
  std::visit(
      [&, start = start, &strides = strides](auto &out) {
        const auto &in = value.array->template as<std::decay_t<decltype(out)>>();
        size_t next = 0;
        walk<1>(value.array->shape, {strides}, [&](auto at) { out[start + at[0]] = in[next++]; });
      },
      stored.data);
  entry->second = std::make_shared<const Array>(std::move(stored));
}
