// `weft build --calibrate`: weights rounded by what they are multiplied by on some data.
#ifndef WEFT_TOOLS_WEFT_BUILD_CALIBRATED_H
#define WEFT_TOOLS_WEFT_BUILD_CALIBRATED_H

#include "tools/weft/build/CarriedWeights.h"

#include <optional>
#include <string>

namespace weft {

/// What is wrong with `--calibrate` beside the other options, or nothing.
std::optional<std::string> wrongForCalibrate(const Arguments &arguments);
/// The same of a program: it has a loss, and rounds weights.
std::optional<std::string> wrongToCalibrate(mlir::ModuleOp module);

/// Builds the loss of these arguments' program once more as float32, runs it on the data of
/// `--calibrate`, and changes those of `carried` that the planned program keeps as whole numbers
/// (calibration::roundByMoments). Prints which it did, and why it left others; false with what is
/// wrong.
bool calibrate(const Arguments &arguments, mlir::ModuleOp plan, CarriedWeights &carried);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_CALIBRATED_H
