// The sequence of roundings.
#include "tools/calibration/RoundByMoments.h"

#include "ir/model/weights/WeightGroups.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <vector>

using weft::model::WeightFormat;
namespace groups = weft::model::groups;

namespace weft::calibration {
namespace {

/// U of H^-1 = U^T U, upper triangular: row r says what rounding row r asks of the rows behind it.
/// With H = R R^T, R upper triangular, it is R^-1; R is the Cholesky factor from the last row to
/// the first. Empty if H is not positive definite.
Matrix inverseFactor(const Matrix &moments, double damping) {
  int64_t rows = moments.rows();
  Matrix damped = moments;
  double added = damping * moments.diagonal().mean();
  for (int64_t i = 0; i < rows; ++i) // a row that nothing multiplies is rounded by itself
    damped(i, i) += moments(i, i) == 0 ? 1 : added;
  Matrix reversed = damped.reverse();
  Eigen::LLT<Eigen::Ref<Matrix>> factored(reversed);
  if (factored.info() != Eigen::Success)
    return {};
  Matrix upper = Matrix(factored.matrixL()).reverse();
  return upper.triangularView<Eigen::Upper>().solve(Matrix::Identity(rows, rows));
}

/// GPTQ's 1 % of the diagonal's mean; more where that many positions do not make H definite.
Matrix inverseFactor(const Matrix &moments) {
  constexpr double usual = 0.01, most = 100;
  for (double damping = usual; damping <= most; damping *= 10)
    if (Matrix factor = inverseFactor(moments, damping); factor.allFinite() && factor.size() > 0)
      return factor;
  return {};
}

/// The scale of a group of a column, and the weight that it was found of, which gets the largest
/// number, so that a pack of what is left finds the same scale. (To the nearest it might be 126: a
/// scale is rounded up.)
struct Scale {
  float value;
  int64_t row;
  int number;
};

Scale scaleOf(const Matrix &weights, int64_t first, int64_t end, int64_t column,
              WeightFormat format) {
  std::vector<float> group;
  for (int64_t row = first; row < end; ++row)
    group.push_back(float(weights(row, column)));
  auto largest = std::max_element(group.begin(), group.end(),
                                  [](float a, float b) { return std::abs(a) < std::abs(b); });
  float scale = groups::scaleOf(group, format);
  int number = scale == 0 ? 0 : int(groups::mostOf(format));
  bool isNegative = format == WeightFormat::int4 || *largest < 0;
  return {scale, first + (largest - group.begin()), isNegative ? -number : number};
}

int rounded(double weight, const Scale &scale, int64_t row, WeightFormat format) {
  if (scale.value == 0 || row == scale.row)
    return scale.number;
  double most = groups::mostOf(format), least = -most;
  most -= format == WeightFormat::int4;
  return int(std::nearbyint(std::clamp(weight / scale.value, least, most)));
}

} // namespace

std::optional<std::string> roundByMoments(Matrix &weights, const Matrix &moments,
                                          WeightFormat format) {
  if (!moments.allFinite())
    return "what it is multiplied by on this data is not finite";
  if (!weights.allFinite())
    return "its weights are not finite";
  Matrix factor = inverseFactor(moments);
  if (factor.size() == 0)
    return "moments of what it is multiplied by on this data cannot be inverted";
  int64_t rows = weights.rows(), columns = weights.cols();
  Matrix left = weights, changes(groups::length, columns);
  std::vector<Scale> scales(static_cast<size_t>(columns));
  for (int64_t first = 0; first < rows; first += groups::length) {
    int64_t end = std::min(first + groups::length, rows);
    for (int64_t column = 0; column < columns; ++column)
      scales[size_t(column)] = scaleOf(weights, first, end, column, format);
    for (int64_t row = first; row < end; ++row) {
      auto change = changes.row(row - first);
      for (int64_t column = 0; column < columns; ++column) {
        const Scale &scale = scales[size_t(column)];
        double value = groups::valueOf(rounded(left(row, column), scale, row, format), scale.value);
        change(column) = (left(row, column) - value) / factor(row, row);
        weights(row, column) = value;
      }
      for (int64_t later = row + 1; later < end; ++later)
        left.row(later) -= factor(row, later) * change;
    }
    if (end < rows)
      left.bottomRows(rows - end).noalias() -=
          factor.block(first, end, end - first, rows - end).transpose() *
          changes.topRows(end - first);
  }
  return std::nullopt;
}

void roundToNearest(Matrix &weights, WeightFormat format) {
  for (int64_t first = 0; first < weights.rows(); first += groups::length) {
    int64_t end = std::min(first + groups::length, weights.rows());
    for (int64_t column = 0; column < weights.cols(); ++column) {
      float scale = scaleOf(weights, first, end, column, format).value;
      for (int64_t row = first; row < end; ++row)
        weights(row, column) =
            groups::valueOf(groups::numberOf(float(weights(row, column)), scale, format), scale);
    }
  }
}

} // namespace weft::calibration
