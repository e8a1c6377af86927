// Softmax, logsumexp and normalization, with their gradients.
#include "ir/model/Arithmetic.h"
#include "ir/model/infer/Infer.h"
#include "ir/reference/Evaluator.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Lines of `input` along `over`: `line(elements, kept)` may change the elements.
template <typename Line>
static Floats mapLines(const Sizes &sizes, const Tensor &input, const std::optional<Tensor> &mask,
                       ArrayRef<DimAttr> over, Line line) {
  Floats out = input.array->floats();
  DimList others = without(input.dims(), over);
  Strides strides = sizes.strides(input.dims(), over);
  Strides maskStrides = mask ? sizes.strides(mask->dims(), over) : Strides(over.size(), 0);
  Strides maskOthers = mask ? sizes.strides(mask->dims(), others) : Strides(others.size(), 0);
  Floats elements(sizes.count(over));
  Switches kept(elements.size(), 1);
  walk<2>(sizes[others], {sizes.strides(input.dims(), others), maskOthers}, [&](auto start) {
    size_t i = 0;
    walk<2>(sizes[over], {strides, maskStrides}, [&](auto at) {
      elements[i] = out[start[0] + at[0]];
      kept[i++] = mask ? mask->array->switches()[start[1] + at[1]] : 1;
    });
    line(elements, kept);
    i = 0;
    walk<1>(sizes[over], {strides}, [&](auto at) { out[start[0] + at[0]] = elements[i++]; });
  });
  return out;
}

static double largestKept(const Floats &line, const Switches &kept) {
  double top = -infinity;
  for (auto [x, keep] : llvm::zip_equal(line, kept))
    if (keep)
      top = larger(top, x);
  return top;
}

Tensor Evaluator::softmax(Tensor input, std::optional<Tensor> mask, DimAttr over, bool guarded) {
  Floats out = mapLines(sizes, input, mask, over, [&](Floats &line, const Switches &kept) {
    double top = largestKept(line, kept), all = 0;
    for (auto [x, keep] : llvm::zip_equal(line, kept))
      all += x = keep ? std::exp(x - top) : 0;
    for (double &x : line)
      x /= (mask || guarded) && !(all > 0) ? 1 : all;
  });
  return tensor(input.type, {input.array->shape, std::move(out)});
}

Tensor Evaluator::logSumExp(Tensor input, std::optional<Tensor> mask, DimAttr over) {
  DimList others = without(input.dims(), over);
  Floats sums;
  if (sizes[over] == 0)
    sums.assign(sizes.count(others), -infinity);
  else
    mapLines(sizes, input, mask, over, [&](Floats &line, const Switches &kept) {
      double top = largestKept(line, kept), all = 0;
      // Infinite tops would give inf - inf below.
      for (auto [x, keep] : llvm::zip_equal(line, kept))
        all += keep ? std::exp(x - (std::isinf(top) ? 0 : top)) : 0;
      sums.push_back(std::isinf(top) ? top : top + std::log(all));
    });
  return tensor(typeOver(others), {sizes[others], std::move(sums)});
}

namespace {
/// What normalization subtracts and multiplies by, for one line.
struct Statistics {
  double mean = 0, scale;
  Statistics(const Floats &line, double eps, bool centered) {
    double count = line.size(), square = 0;
    for (double x : line)
      mean += centered ? x / count : 0;
    for (double x : line)
      square += (x - mean) * (x - mean) / count;
    scale = 1 / std::sqrt(square + eps);
  }
};
} // namespace

Array Evaluator::normalize(Tensor input, ArrayRef<DimAttr> over, double eps, bool centered) {
  Floats out = mapLines(sizes, input, std::nullopt, over, [&](Floats &line, const Switches &) {
    Statistics of(line, eps, centered);
    for (double &x : line)
      x = (x - of.mean) * of.scale;
  });
  return {input.array->shape, std::move(out)};
}

Array Evaluator::normalizeGrad(NormalizeGradOp op) {
  Tensor input = get(op.getInput());
  Floats gradient = copied(get(op.getGradient()), input.type).floats();
  DimList over(op.getOver());
  double eps = op.getEps().convertToDouble();
  bool centered = op.getCentered();

  // The gradient's lines, in the order in which mapLines meets the input's.
  std::vector<Floats> lines;
  Tensor g = tensor(input.type, {input.array->shape, std::move(gradient)});
  mapLines(sizes, g, std::nullopt, over,
           [&](Floats &line, const Switches &) { lines.push_back(line); });

  // y = (x - mean) * scale  ==>  dx = scale * (g - mean(g) - y * mean(g * y)); the mean only if
  // centered
  size_t next = 0;
  Floats out = mapLines(sizes, input, std::nullopt, over, [&](Floats &line, const Switches &) {
    Statistics of(line, eps, centered);
    const Floats &dy = lines[next++];
    double count = line.size(), mean = 0, product = 0;
    for (auto [x, d] : llvm::zip_equal(line, dy)) {
      mean += centered ? d / count : 0;
      product += d * (x - of.mean) * of.scale / count;
    }
    for (auto [x, d] : llvm::zip_equal(line, dy))
      x = of.scale * (d - mean - (x - of.mean) * of.scale * product);
  });
  return {input.array->shape, std::move(out)};
}

Array Evaluator::idiom(Operation *op) {
  if (auto product = dyn_cast<ContractOp>(op)) {
    auto side = [&](Value value) { return product.getTf32() ? asTf32(get(value)) : get(value); };
    return *contract(side(product.getLhs()), side(product.getRhs()),
                     typeOf(product.getResult()).getDims())
                .array;
  }
  if (auto weights = dyn_cast<SoftmaxOp>(op)) {
    Value mask = weights.getMask();
    return *softmax(get(weights.getInput()), mask ? std::optional(get(mask)) : std::nullopt,
                    weights.getOverAttr(), weights.getGuarded())
                .array;
  }
  if (auto sum = dyn_cast<LogSumExpOp>(op))
    return *logSumExp(get(sum.getInput()), std::nullopt, sum.getOverAttr()).array;
  if (auto norm = dyn_cast<NormalizeOp>(op))
    return normalize(get(norm.getInput()), norm.getOver(), norm.getEps().convertToDouble(),
                     norm.getCentered());
  if (auto grad = dyn_cast<NormalizeGradOp>(op))
    return normalizeGrad(grad);
  auto grad = cast<SoftmaxGradOp>(op);
  return softmaxGradient(get(grad.getWeights()), get(grad.getGradient()), grad.getOverAttr());
}
