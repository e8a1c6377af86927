// Reductions, positions of the largest, running sums.
#include "ir/model/Arithmetic.h"
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

/// Folds `input` over the dimensions that `dims` lacks, starting from `initial`, in row-major order
/// of the input.
template <typename Elements, typename Function>
static Array folded(const Sizes &sizes, const Tensor &input, ArrayRef<DimAttr> dims,
                    typename Elements::value_type initial, Function function) {
  const Elements &in = input.array->as<Elements>();
  Elements out(sizes.count(dims), initial);
  walk<2>(input.array->shape,
          {sizes.strides(dims, input.dims()), sizes.strides(input.dims(), input.dims())},
          [&](auto at) { out[at[0]] = function(out[at[0]], in[at[1]]); });
  return {sizes[dims], std::move(out)};
}

/// For every line of `input` along `dim`, calls `body` with the line's number and its elements.
/// Lines are numbered row-major over the other dimensions.
template <typename Elements, typename Body>
static void forEachLine(const Sizes &sizes, const Tensor &input, DimAttr dim, Body body) {
  const Elements &in = input.array->as<Elements>();
  DimList others = without(input.dims(), dim);
  int64_t stride = sizes.strides(input.dims(), dim)[0];
  Elements line(sizes[dim]);
  size_t number = 0;
  walk<1>(sizes[others], {sizes.strides(input.dims(), others)}, [&](auto at) {
    for (size_t i = 0; i < line.size(); ++i)
      line[i] = in[at[0] + i * stride];
    body(number++, line);
  });
}

/// Orders positions: larger elements first, NaN before all, the lower position on ties.
template <typename Elements> static auto largestFirst(const Elements &line) {
  return [&line](int64_t a, int64_t b) {
    if constexpr (std::is_same_v<Elements, Floats>)
      if (std::isnan(line[a]) || std::isnan(line[b]))
        return std::isnan(line[a]) && (!std::isnan(line[b]) || a < b);
    return line[a] != line[b] ? line[a] > line[b] : a < b;
  };
}

/// The first `count` positions of each line in that order, in a last dimension.
template <typename Elements>
static Wholes largest(const Sizes &sizes, const Tensor &input, DimAttr dim, int64_t count) {
  Wholes result;
  forEachLine<Elements>(sizes, input, dim, [&](size_t, const Elements &line) {
    Wholes order(line.size());
    std::iota(order.begin(), order.end(), 0);
    int64_t found = std::min<int64_t>(count, order.size());
    std::partial_sort(order.begin(), order.begin() + found, order.end(), largestFirst(line));
    order.resize(count, 0); // of an empty line: position 0, by definition
    result.insert(result.end(), order.begin(), order.end());
  });
  return result;
}

/// Running sums, from the end if `reverse`.
template <typename Elements>
static Array runningSum(const Sizes &sizes, const Tensor &input, DimAttr dim, bool reverse) {
  using Sum = std::conditional_t<std::is_same_v<Elements, Wholes>, uint64_t, double>;
  Elements out(input.array->as<Elements>().size());
  DimList others = without(input.dims(), dim);
  int64_t stride = sizes.strides(input.dims(), dim)[0], size = sizes[dim];
  const Elements &in = input.array->as<Elements>();
  walk<1>(sizes[others], {sizes.strides(input.dims(), others)}, [&](auto at) {
    Sum sum = 0;
    for (int64_t i = 0; i < size; ++i) {
      size_t place = at[0] + (reverse ? size - 1 - i : i) * stride;
      sum += Sum(in[place]);
      out[place] = typename Elements::value_type(sum);
    }
  });
  return {input.array->shape, std::move(out)};
}

Array Evaluator::reduction(Operation *op) {
  Tensor input = get(op->getOperands().back());
  NamedTensorType result = typeOf(op->getResult(0));
  bool isFloat = input.type.isFloat();
  auto fold = [&](auto whole, auto startWhole, auto real, double startReal) {
    return isFloat ? folded<Floats>(sizes, input, result.getDims(), startReal, real)
                   : folded<Wholes>(sizes, input, result.getDims(), startWhole, whole);
  };
  auto positions = [&](DimAttr dim, int64_t count) -> Array {
    return {sizes[result.getDims()], isFloat ? largest<Floats>(sizes, input, dim, count)
                                             : largest<Wholes>(sizes, input, dim, count)};
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<SumOp>(op))
    return fold([](int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }, 0,
                std::plus<>(), 0.0);
  if (isa<ReduceMaxOp>(op))
    return fold([](int64_t a, int64_t b) { return std::max(a, b); }, INT32_MIN, larger, -infinity);
  if (isa<ReduceMinOp>(op))
    return fold([](int64_t a, int64_t b) { return std::min(a, b); }, INT32_MAX, smaller, infinity);
  if (auto best = dyn_cast<ArgMaxOp>(op))
    return positions(best.getOver().front(), 1);
  if (auto top = dyn_cast<TopOp>(op))
    return positions(top.getDimAttr(), sizes[top.getKAttr()]);
  auto sum = cast<CumSumOp>(op);
  return isFloat ? runningSum<Floats>(sizes, input, sum.getDimAttr(), sum.getReverse())
                 : runningSum<Wholes>(sizes, input, sum.getDimAttr(), sum.getReverse());
}
