// Where a parameter comes from: the block that declares it, and the repeats around.
#pragma once

#include "ir/model/Model.h"

#include <string>
#include <vector>

namespace weft {

/// A dimension as the declaring block calls it, and what fills it here.
struct Slot {
  std::string name;
  std::vector<std::string> dims;
};

/// Who declared a parameter, which the builder left on the op; empty if nobody did.
struct Origin {
  explicit Origin(model::ParameterOp parameter);
  std::string block;
  std::vector<Slot> slots;
};

/// Whether `dim` is that of a `repeat` around some parameter of the module that `parameter` is in.
bool isRepeated(const std::string &dim, model::ParameterOp parameter);

} // namespace weft
