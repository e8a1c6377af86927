// Views, and ops that move elements.
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

/// Walks `space` and copies from one tensor to the other; each has an offset at which the walk
/// starts.
static void copy(Array &to, int64_t toStart, const Strides &toStrides, const Array &from,
                 int64_t fromStart, const Strides &fromStrides, ArrayRef<int64_t> space) {
  std::visit(
      [&](auto &out) {
        const auto &in = from.as<std::decay_t<decltype(out)>>();
        walk<2>(space, {toStrides, fromStrides},
                [&](auto at) { out[toStart + at[0]] = in[fromStart + at[1]]; });
      },
      to.data);
}

Array Evaluator::copied(Tensor from, NamedTensorType type,
                        std::optional<std::pair<DimAttr, int64_t>> slice) {
  int64_t start = slice ? slice->second * sizes.strides(from.dims(), slice->first)[0] : 0;
  Array result = zeros(type);
  copy(result, 0, sizes.strides(type.getDims(), type.getDims()), *from.array, start,
       sizes.strides(from.dims(), type.getDims()), result.shape);
  return result;
}

/// `dims` with `from` renamed to `to`: a view, for strides alone.
static DimList renamed(ArrayRef<DimAttr> dims, DimAttr from, DimAttr to) {
  DimList result(dims);
  llvm::replace(result, from, to);
  return result;
}

Array Evaluator::regroup(RegroupOp op) {
  Tensor input = get(op.getInput());
  NamedTensorType type = typeOf(op.getResult());
  ArrayRef<DimAttr> from = op.getFrom(), to = op.getTo();
  DimList kept = without(input.dims(), from), space = kept;
  llvm::append_range(space, from);

  // The dimensions `to` are adjacent in the result, so the linear index of `from`, row-major, has
  // one stride there.
  Strides out = sizes.strides(type.getDims(), kept);
  int64_t step = 1;
  for (DimAttr dim : llvm::reverse(type.getDims())) {
    if (llvm::is_contained(to, dim))
      break;
    step *= sizes[dim];
  }
  for (int64_t stride : sizes.strides(from, from))
    out.push_back(stride * step);
  Array result = zeros(type);
  copy(result, 0, out, *input.array, 0, sizes.strides(input.dims(), space), sizes[space]);
  return result;
}

Array Evaluator::insertPart(InsertPartOp op) {
  Tensor input = get(op.getInput()), into = get(op.getInto());
  NamedTensorType type = typeOf(op.getResult());
  Array result = copied(into, type);
  int64_t offset = sizeOf(op.getOffset().getValue());
  int64_t start = offset * sizes.strides(type.getDims(), op.getDimAttr())[0];
  DimList space = renamed(type.getDims(), op.getDimAttr(), op.getPartAttr());
  Strides out = sizes.strides(type.getDims(), type.getDims());
  copy(result, start, out, *input.array, 0, sizes.strides(input.dims(), space), sizes[space]);
  return result;
}

Array Evaluator::stack(StackOp op) {
  NamedTensorType type = typeOf(op.getResult());
  ArrayRef<DimAttr> space = type.getDims().drop_back();
  Array result = zeros(type);
  for (auto [i, value] : llvm::enumerate(op.getInputs()))
    copy(result, i, sizes.strides(type.getDims(), space), *get(value).array, 0,
         sizes.strides(typeOf(value).getDims(), space), sizes[space]);
  return result;
}

Array Evaluator::concat(ConcatOp op) {
  NamedTensorType type = typeOf(op.getResult());
  int64_t stride = sizes.strides(type.getDims(), op.getDimAttr())[0], start = 0;
  Array result = zeros(type);
  for (auto [value, part] : llvm::zip_equal(op.getInputs(), op.getParts())) {
    DimList space = renamed(type.getDims(), op.getDimAttr(), part);
    copy(result, start * stride, sizes.strides(type.getDims(), type.getDims()), *get(value).array,
         0, sizes.strides(typeOf(value).getDims(), space), sizes[space]);
    start += sizes[part];
  }
  return result;
}

/// Reports the first index outside [0, size), if there is one.
static LogicalResult inside(Operation *op, const Wholes &index, DimAttr dim, int64_t size) {
  for (int64_t i : index)
    if (i < 0 || i >= size)
      return op->emitOpError() << "index " << i << " is outside '" << dim.getValue()
                               << "', which has size " << size;
  return success();
}

Evaluator::Result Evaluator::gather(GatherOp op) {
  Tensor input = get(op.getInput()), index = get(op.getIndex());
  DimAttr dim = op.getDimAttr();
  const Wholes &at = index.array->wholes();
  if (failed(inside(op, at, dim, sizes[dim])))
    return failure();
  NamedTensorType type = typeOf(op.getResult());
  int64_t step = sizes.strides(input.dims(), dim)[0];
  // If the index has `dim` itself, that is the result's: the input is not read along it.
  Strides from = sizes.strides(input.dims(), type.getDims());
  if (const DimAttr *again = llvm::find(type.getDims(), dim); again != type.getDims().end())
    from[again - type.getDims().begin()] = 0;
  Array result = zeros(type);
  std::visit(
      [&](auto &out) {
        const auto &in = input.array->as<std::decay_t<decltype(out)>>();
        size_t next = 0;
        walk<2>(result.shape, {from, sizes.strides(index.dims(), type.getDims())},
                [&](auto place) { out[next++] = in[place[0] + at[place[1]] * step]; });
      },
      result.data);
  return result;
}

Evaluator::Result Evaluator::scatter(ScatterOp op) {
  Tensor input = get(op.getInput()), index = get(op.getIndex());
  DimAttr dim = op.getDimAttr();
  const Wholes &at = index.array->wholes();
  if (failed(inside(op, at, dim, sizes[dim])))
    return failure();
  NamedTensorType type = typeOf(op.getResult());
  DimList space = with(index.dims(), input.dims());
  Strides to = sizes.strides(type.getDims(), space);
  if (DimAttr *again = llvm::find(space, dim); again != space.end())
    to[again - space.begin()] = 0;
  int64_t step = sizes.strides(type.getDims(), dim)[0];
  Array result = zeros(type);
  auto add = [&](auto &out) {
    const auto &in = input.array->as<std::decay_t<decltype(out)>>();
    walk<3>(sizes[space],
            {to, sizes.strides(input.dims(), space), sizes.strides(index.dims(), space)},
            [&](auto place) { out[place[0] + at[place[2]] * step] += in[place[1]]; });
  };
  if (type.isFloat())
    add(std::get<Floats>(result.data));
  else
    add(std::get<Wholes>(result.data));
  return result;
}

Evaluator::Result Evaluator::movement(Operation *op) {
  NamedTensorType type = typeOf(op->getResult(0));
  if (op->hasTrait<SameByName>())
    return copied(get(op->getOperand(0)), type);
  if (auto view = dyn_cast<RegroupOp>(op))
    return regroup(view);
  if (auto pick = dyn_cast<PickOp>(op))
    return copied(get(pick.getInput()), type, std::pair(pick.getDimAttr(), pick.getPosition()));
  if (auto part = dyn_cast<PartOp>(op)) {
    Tensor input = get(part.getInput());
    int64_t offset = sizeOf(part.getOffset().getValue());
    // Strides of the input, as if the dimension had the part's name.
    Array result = zeros(type);
    DimList space = renamed(type.getDims(), part.getPartAttr(), part.getDimAttr());
    copy(result, 0, sizes.strides(type.getDims(), type.getDims()), *input.array,
         offset * sizes.strides(input.dims(), part.getDimAttr())[0],
         sizes.strides(input.dims(), space), result.shape);
    return result;
  }
  if (auto gathered = dyn_cast<GatherOp>(op))
    return gather(gathered);
  if (auto scattered = dyn_cast<ScatterOp>(op))
    return scatter(scattered);
  if (auto insert = dyn_cast<InsertPartOp>(op))
    return insertPart(insert);
  if (auto stacked = dyn_cast<StackOp>(op))
    return stack(stacked);
  return concat(cast<ConcatOp>(op));
}
