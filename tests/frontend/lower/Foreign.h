// Parameters of a module, filled from someone else's tensors through a `weights` clause.
#pragma once

#include "Recorded.h"
#include "frontend/weights/Plan.h"
#include "ir/reference/Interpreter.h"

#include <set>

namespace weft::test {

struct ForeignParameters {
  reference::NamedArrays arrays;     ///< stacked along loops, by our names
  std::set<std::string> used;        ///< tensors of the file that were read
  std::vector<std::string> problems; ///< missing tensors and wrong shapes
};

/// Reads every parameter and state of `module` from `tensors`, whose names start with `prefix`.
/// Storage that the file does not have is a problem if it is a parameter; a state keeps its first
/// value.
ForeignParameters loadForeign(mlir::ModuleOp module, const ForeignPlan &plan,
                              const Tensors &tensors, const std::string &prefix);

} // namespace weft::test
