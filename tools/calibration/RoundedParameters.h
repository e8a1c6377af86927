// Which parameters of a program are kept as whole numbers, and which of their elements share a
// scale.
#ifndef WEFT_TOOLS_CALIBRATION_ROUNDEDPARAMETERS_H
#define WEFT_TOOLS_CALIBRATION_ROUNDEDPARAMETERS_H

#include "ir/model/weights/WeightFormat.h"
#include "tools/calibration/Axis.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace weft::calibration {

/// How a pack reads one pass's slice of a parameter, in its elements.
struct RoundedSlice {
  model::WeightFormat format;
  std::vector<Axis> batch, rows, columns;
  bool operator==(const RoundedSlice &) const = default;
  int64_t elements() const;
  /// Whether these are all of so many elements, which lie one behind the other.
  bool isWhole(int64_t ofPass) const;
};

struct RoundedParameter {
  RoundedSlice slice;
  std::string otherwise; ///< how else it is read, so that it must stay as it is; or empty
};

/// Of a planned module, by the names of parameters: those that entries which neither find a
/// gradient nor change parameters read as whole numbers.
std::map<std::string, RoundedParameter> roundedParameters(mlir::ModuleOp plan);

} // namespace weft::calibration

#endif // WEFT_TOOLS_CALIBRATION_ROUNDEDPARAMETERS_H
