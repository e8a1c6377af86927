// Errors of f32 code, by op.
#include "tools/reduce/expected/OpError.h"

#include "ir/model/Bfloat16.h"
#include "ir/model/FloatFunctions.h"
#include "ir/model/Model.h"
#include "ir/model/Traits.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace mlir;

namespace weft::reduce {

using reference::Array;
using reference::Floats;

double largest(const Array &array) {
  double most = 0;
  if (auto *values = std::get_if<Floats>(&array.data))
    for (double value : *values)
      most = std::isfinite(value) ? std::max(most, std::abs(value)) : most;
  return most;
}

/// The largest factor by which rows are scaled to length or variance 1; none is known where squares
/// are beyond f32, of which kernels make infinity and a result of 0.
static std::optional<double> largestScale(const reference::Tensor &input,
                                          ArrayRef<model::DimAttr> over, double eps,
                                          bool centered) {
  ArrayRef<model::DimAttr> dims = input.dims();
  const Floats &values = input.array->floats();
  struct Row {
    double sum = 0, squares = 0, count = 0;
  };
  std::map<size_t, Row> rows;
  for (size_t i = 0; i < values.size(); ++i) {
    size_t left = i, row = 0, stride = 1;
    for (size_t d = dims.size(); d-- > 0;) {
      size_t size = size_t(input.array->shape[d]), at = left % size;
      left /= size;
      row += llvm::is_contained(over, dims[d]) ? 0 : at * stride;
      stride *= size;
    }
    Row &sums = rows[row];
    sums.sum += values[i];
    sums.squares += values[i] * values[i];
    ++sums.count;
  }
  double least = std::numeric_limits<double>::infinity();
  for (auto &[number, row] : rows) {
    if (row.squares > std::numeric_limits<float>::max())
      return std::nullopt;
    double mean = centered ? row.sum / row.count : 0;
    least = std::min(least, std::max(row.squares / row.count - mean * mean, 0.0));
  }
  return 1 / std::sqrt((rows.empty() ? 0 : least) + std::max(eps, 1e-12));
}

Error errorOf(Operation *op, ArrayRef<reference::Tensor> operands, const Array &result) {
  using namespace model;
  if (op->hasTrait<Exact>() || isa<Moving>(op))
    return {};
  if (op->hasTrait<AddsUp>()) {
    double count = operands.empty() ? 1 : 0, terms = 1;
    for (const reference::Tensor &operand : operands) {
      count = std::max(count, double(reference::countOf(operand.array->shape)));
      if (operand.type.isFloat())
        terms *= largest(*operand.array);
    }
    int64_t results = std::max<int64_t>(reference::countOf(result.shape), 1);
    double length = isa<CumSumOp, ScatterOp>(op) ? count : std::max(1.0, count / double(results));
    if (isa<ContractOp>(op)) // the product has more elements than either side
      length = std::max(length, std::sqrt(count));
    // Each step rounds a partial sum, which is at most about as large as this.
    double partial = std::max(largest(result), std::sqrt(length) * terms);
    return {ulp, 0.5 * ulp * std::sqrt(length) * partial};
  }
  if (auto applied = dyn_cast<FloatFunctionOp>(op))
    return {applied.function().relative * ulp, applied.function().absolute * ulp};
  if (op->hasTrait<RoundsOnce>())
    return {ulp, 0};
  if (isa<ModOp>(op))
    return {2 * ulp, ulp * largest(*operands.back().array)};
  // What an idiom subtracts inside may cancel: its error is a share of what it subtracts.
  auto most = [&](unsigned i) { return largest(*operands[i].array); };
  if (auto norm = dyn_cast<NormalizeOp>(op)) {
    std::optional<double> scale = largestScale(operands[0], norm.getOver(),
                                               norm.getEps().convertToDouble(), norm.getCentered());
    return scale ? Error{8 * ulp, ulp * most(0) * *scale} : Error{1, 0};
  }
  if (auto norm = dyn_cast<NormalizeGradOp>(op)) {
    std::optional<double> scale = largestScale(operands[0], norm.getOver(),
                                               norm.getEps().convertToDouble(), norm.getCentered());
    return scale ? Error{8 * ulp, ulp * most(1) * *scale * (1 + most(0) * *scale)} : Error{1, 0};
  }
  if (isa<SoftmaxGradOp>(op))
    return {8 * ulp, 4 * ulp * most(0) * most(1)};
  // Scores are rounded, so a weight is off by a share that grows with them.
  auto length = [](const reference::Tensor &operand, ArrayRef<DimAttr> over) {
    double count = 1;
    for (auto [dim, size] : llvm::zip(operand.dims(), operand.array->shape))
      count *= llvm::is_contained(over, dim) ? double(size) : 1;
    return count;
  };
  // Of what a cap or a bias makes of products: what is added, and what both round of the largest.
  auto added = [&](Value bias) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (operand == bias)
        return most(unsigned(i));
    return 0.0;
  };
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    double scores = std::abs(attention.getScale().convertToDouble()) * most(0) * most(1) *
                        length(operands[0], attention.getDepth()) +
                    added(attention.getBias());
    // Rounded to bfloat16 is e^(score - the highest so far), which is no number of the op: what
    // that is depends on how a kernel goes through the keys.
    double narrow = attention.getNarrowWeights()
                        ? bfloat16Roundoff / std::sqrt(length(operands[1], attention.getKey()))
                        : 0;
    return {16 * ulp, (ulp * scores + narrow) * most(2) *
                          std::abs(attention.getKeepFactor().convertToDouble())};
  }
  if (auto attention = dyn_cast<AttentionGradOp>(op)) {
    double scale = std::abs(attention.getScale().convertToDouble());
    double scores = scale * most(0) * most(1) * length(operands[0], attention.getDepth()) +
                    added(attention.getBias());
    unsigned last = op->getNumOperands() - 1; // the gradient
    // What is left of sum(gradient * v) - sum(gradient * output) may be nothing but rounding.
    double values = std::sqrt(double(reference::countOf(operands[2].array->shape)) /
                              std::max(length(operands[2], attention.getKey()), 1.0));
    double kept = std::max(std::abs(attention.getKeepFactor().convertToDouble()), 1.0);
    // That of a bias is scaled by nothing, and multiplied with nothing.
    double slopes = kept * most(last) * most(2) * values *
                    std::max(scale * std::max(most(0), most(1)), attention.getBias() ? 1.0 : 0.0);
    // Of scores as large as this, two that differ by far are equal in f32: it may be any weight, in
    // every row alike, and what a key gets is the sum of the rows.
    constexpr double apart = 1.0 / 16;
    double rows = double(reference::countOf(operands[0].array->shape)) /
                  std::max(length(operands[0], attention.getDepth()), 1.0);
    double share = ulp * scores < apart ? 8 * ulp : rows;
    return {32 * ulp, share * (slopes + most(last)) + ulp * (4 + scores) * largest(result)};
  }
  if (isa<LogSumExpOp>(op))
    return {8 * ulp, 2 * ulp}; // near 1 a logarithm is near 0
  return {8 * ulp, 0};
}

} // namespace weft::reduce
