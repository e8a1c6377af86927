// Random products: what was rounded is what a pack stores, and the product is off by less than by
// rounding each weight to the nearest number.
#include "tools/calibration/RoundByMoments.h"
#include "tests/unit/codegen/Draw.h"

#include "ir/model/weights/WeightGroups.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace weft;
using calibration::Matrix;
using model::WeightFormat;

namespace {

struct Case {
  Matrix weights, moments;
  WeightFormat format;
};

double normal(test::Draw &draw) {
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += double(draw.below(1 << 20)) / (1 << 20);
  return sum - 6;
}

/// Floats, as weights are; left sides that are mixtures of a few directions, as activations are.
Case drawn(test::Draw &draw) {
  int64_t rows = 1 + draw.below(100), columns = 1 + draw.below(20);
  int64_t directions = 1 + draw.below(rows), positions = 1 + draw.below(200);
  Case made{Matrix(rows, columns), Matrix(),
            draw.chance(0.5) ? WeightFormat::int4 : WeightFormat::int8};
  for (double &weight : made.weights.reshaped())
    weight = draw.chance(0.02) ? 0 : double(float(normal(draw)));
  Matrix mix(directions, rows), along(positions, directions);
  for (double &each : mix.reshaped())
    each = normal(draw);
  for (double &each : along.reshaped())
    each = normal(draw);
  Matrix left = along * mix;
  if (draw.chance(0.3))
    left.col(draw.below(rows)).setZero(); // an input that is always 0
  made.moments = left.transpose() * left;
  return made;
}

/// As a pack does it.
Matrix nearest(const Matrix &weights, WeightFormat format) {
  Matrix result = weights;
  for (int64_t column = 0; column < weights.cols(); ++column)
    for (int64_t first = 0; first < weights.rows(); first += model::groups::length) {
      std::vector<float> group;
      for (int64_t row = first; row < std::min(first + model::groups::length, weights.rows());
           ++row)
        group.push_back(float(weights(row, column)));
      float scale = model::groups::scaleOf(group, format);
      for (size_t i = 0; i < group.size(); ++i)
        result(first + int64_t(i), column) =
            model::groups::valueOf(model::groups::numberOf(group[i], scale, format), scale);
    }
  return result;
}

double errorOf(const Matrix &rounded, const Case &of) {
  Matrix change = rounded - of.weights;
  return (change.transpose() * of.moments * change).trace();
}

} // namespace

TEST(RoundByMoments, LeavesWhatAPackStores) {
  double error = 0, errorOfNearest = 0;
  for (auto [first, count] = test::Seeds(200); count > 0; ++first, --count) {
    SCOPED_TRACE("WEFT_SEED=" + std::to_string(first) + " WEFT_COUNT=1");
    test::Draw draw(first);
    Case made = drawn(draw);
    Matrix rounded = made.weights;
    ASSERT_EQ(calibration::roundByMoments(rounded, made.moments, made.format), std::nullopt);
    ASSERT_EQ(rounded, nearest(rounded, made.format)) << rounded.rows() << " x " << rounded.cols();
    double most = made.moments.diagonal().maxCoeff();
    if (most > 0) { // each case counts alike
      Matrix plain = made.weights;
      calibration::roundToNearest(plain, made.format);
      ASSERT_EQ(plain, nearest(made.weights, made.format));
      double scale = std::max(errorOf(plain, made), std::numeric_limits<double>::min());
      error += errorOf(rounded, made) / scale;
      errorOfNearest += errorOf(plain, made) / scale;
    }
  }
  EXPECT_LT(error, 0.7 * errorOfNearest);
}

/// Rows that do not go together are rounded each to its nearest number (with 8 bits all but the
/// largest, which is 127 of a scale that was rounded up).
TEST(RoundByMoments, IsNearestWhereRowsAreApart) {
  for (auto [first, count] = test::Seeds(50); count > 0; ++first, --count) {
    SCOPED_TRACE("WEFT_SEED=" + std::to_string(first) + " WEFT_COUNT=1");
    test::Draw draw(first);
    Case made = drawn(draw);
    made.format = WeightFormat::int4;
    Matrix apart = made.moments.diagonal().asDiagonal();
    Matrix rounded = made.weights;
    ASSERT_EQ(calibration::roundByMoments(rounded, apart, made.format), std::nullopt);
    EXPECT_EQ(rounded, nearest(made.weights, made.format));
  }
}

TEST(RoundByMoments, LeavesWhatIsNotFinite) {
  Matrix weights = Matrix::Random(40, 3), before = weights, moments = Matrix::Identity(40, 40);
  moments(3, 4) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(calibration::roundByMoments(weights, moments, WeightFormat::int4),
            "what it is multiplied by on this data is not finite");
  EXPECT_EQ(weights, before);
}
