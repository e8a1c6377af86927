// Leaves and elementwise ops.
#include "ir/model/Arithmetic.h"
#include "ir/model/Comparisons.h"
#include "ir/reference/Evaluator.h"
#include "ir/reference/Random.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

static Array scalar(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return {{}, Floats{number.getValueAsDouble()}};
  if (auto flag = dyn_cast<BoolAttr>(value))
    return {{}, Switches{flag.getValue()}};
  return {{}, Wholes{cast<IntegerAttr>(value).getInt()}};
}

Evaluator::Result Evaluator::leaf(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return scalar(constant.getValue());
  if (auto extent = dyn_cast<SizeOp>(op))
    return Array{{}, Wholes{sizeOf(extent.getSize().getValue())}};
  if (auto index = dyn_cast<IndexOp>(op)) {
    Wholes positions(sizes[index.getDimAttr()]);
    std::iota(positions.begin(), positions.end(), 0);
    return Array{{int64_t(positions.size())}, std::move(positions)};
  }
  auto draw = cast<RandomOp>(op);
  ArrayRef<DimAttr> along = typeOf(draw.getResult()).getDims();
  auto strideOf = [](DimAttr dim) { return randomStride(std::string_view(dim.getValue())); };
  uint64_t start = 0;
  uint32_t path = randomPath(std::string_view(draw.getPath()));
  for (auto [dim, position] : passes)
    start += strideOf(dim) * uint64_t(position);
  Strides strides = llvm::map_to_vector(along, [&](DimAttr dim) { return int64_t(strideOf(dim)); });
  Array result{sizes[along], Floats()};
  Floats &numbers = std::get<Floats>(result.data);
  walk<1>(result.shape, {strides}, [&](auto offset) {
    numbers.push_back(randomUnit(random.seed, random.step, path, start + offset[0]));
  });
  return result;
}

template <typename Out, typename... In, typename Function>
Array Evaluator::mapped(Operation *op, Function function) {
  ArrayRef<DimAttr> space = typeOf(op->getResult(0)).getDims();
  std::array<Strides, sizeof...(In)> strides;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    strides[i] = sizes.strides(typeOf(operand).getDims(), space);
  Array result{sizes[space], Out()};
  Out &out = std::get<Out>(result.data);
  out.reserve(countOf(result.shape));
  [&]<size_t... i>(std::index_sequence<i...>) {
    std::tuple<const In &...> in(get(op->getOperand(i)).array->template as<In>()...);
    walk<sizeof...(In)>(result.shape, strides,
                        [&](auto at) { out.push_back(function(std::get<i>(in)[at[i]]...)); });
  }(std::index_sequence_for<In...>());
  return result;
}

// Whole numbers wrap at 32 bits after each op (Evaluator::evaluate): within one none leaves 64.
Array Evaluator::unary(Operation *op) {
  auto floats = [&](auto function) { return mapped<Floats, Floats>(op, function); };
  bool whole = typeOf(op->getOperand(0)).isWhole();
  return llvm::TypeSwitch<Operation *, Array>(op)
      .Case([&](NegOp) {
        return whole ? mapped<Wholes, Wholes>(op, [](int64_t x) { return -x; })
                     : floats([](double x) { return -x; });
      })
      .Case([&](FloatFunctionOp op) { return floats(op.function().evaluate); })
      .Case([&](NotOp) { return mapped<Switches, Switches>(op, [](bool x) { return !x; }); })
      .Case([&](FloorOp) { return mapped<Wholes, Floats>(op, floorOf); })
      .Case([&](ToFloatOp) {
        return whole ? mapped<Floats, Wholes>(op, [](int64_t x) { return double(x); })
                     : mapped<Floats, Switches>(op, [](bool x) { return double(x); });
      })
      .Case(
          [&](ToIntOp) { return mapped<Wholes, Switches>(op, [](bool x) { return int64_t(x); }); })
      .Case([&](ClampOp clamp) {
        int64_t last = sizes[clamp.getDimAttr()] - 1;
        return mapped<Wholes, Wholes>(
            op, [&](int64_t x) { return std::min(std::max<int64_t>(x, 0), last); });
      });
}

Array Evaluator::binary(BinaryFunctionOp op) {
  NamedTensorType type = typeOf(op->getOperand(0));
  const BinaryFunction &function = op.function();
  if (type.isFloat())
    return mapped<Floats, Floats, Floats>(op, function.real);
  if (type.isBool())
    return mapped<Switches, Switches, Switches>(op, function.logical);
  return mapped<Wholes, Wholes, Wholes>(op, function.whole);
}

Array Evaluator::compare(CompareOp op) {
  auto holds = [predicate = op.getPredicate()](auto a, auto b) {
    return weft::model::holds(predicate, a, b);
  };
  NamedTensorType type = typeOf(op.getLhs());
  if (type.isFloat())
    return mapped<Switches, Floats, Floats>(op, holds);
  if (type.isBool())
    return mapped<Switches, Switches, Switches>(op, holds);
  return mapped<Switches, Wholes, Wholes>(op, holds);
}

Array Evaluator::where(WhereOp op) {
  auto select = [](bool condition, auto a, auto b) { return condition ? a : b; };
  NamedTensorType type = typeOf(op.getThen());
  if (type.isFloat())
    return mapped<Floats, Switches, Floats, Floats>(op, select);
  if (type.isBool())
    return mapped<Switches, Switches, Switches, Switches>(op, select);
  return mapped<Wholes, Switches, Wholes, Wholes>(op, select);
}

Array Evaluator::elementwise(Operation *op) {
  if (auto comparison = dyn_cast<CompareOp>(op))
    return compare(comparison);
  if (auto choice = dyn_cast<WhereOp>(op))
    return where(choice);
  if (auto function = dyn_cast<BinaryFunctionOp>(op))
    return binary(function);
  return unary(op);
}
