// Rounding weights by what they are multiplied by.
#ifndef WEFT_TOOLS_CALIBRATION_ROUNDBYMOMENTS_H
#define WEFT_TOOLS_CALIBRATION_ROUNDBYMOMENTS_H

#include "ir/model/weights/WeightFormat.h"

#include <Eigen/Core>

#include <optional>
#include <string>

namespace weft::calibration {

/// [rows][columns]: what a product adds up, and what it gives.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Rounds the weights of a product to numbers of `format` in groups of rows (WeightGroups), so that
/// the product's results change little where rows go together as `moments` [rows][rows] says: each
/// row in turn is rounded, and the rows behind it take what that changes (GPTQ, Frantar and others
/// 2022, algorithm 1, with the groups' scales found before). What is left are multiples of the
/// scales that a pack finds in it: it rounds them to themselves. Returns why it left `weights`
/// alone, if it did.
std::optional<std::string> roundByMoments(Matrix &weights, const Matrix &moments,
                                          model::WeightFormat format);

/// As a pack rounds them: each to the nearest number.
void roundToNearest(Matrix &weights, model::WeightFormat format);

} // namespace weft::calibration

#endif // WEFT_TOOLS_CALIBRATION_ROUNDBYMOMENTS_H
