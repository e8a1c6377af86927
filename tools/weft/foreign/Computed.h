// Tensors of foreign files that are computed: what their entries give.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_COMPUTED_H
#define WEFT_TOOLS_WEFT_FOREIGN_COMPUTED_H

#include "frontend/weights/Plan.h"
#include "runtime/tensors/safetensors/Header.h"

namespace weft {

/// The tensor, of the plan of `module`: evaluated in float64, rounded once. Prints what is wrong.
std::optional<std::vector<float>> compute(const ForeignTable &table, mlir::ModuleOp module);

/// How far a file's numbers may be from the computed ones, relative to the largest of those. Other
/// projects compute such tables in float32, where the cosine of an angle is off by as much as the
/// angle is rounded: it is at most as large as the longest axis. Half precision rounds more, and
/// perhaps at each step.
float computedTolerance(const ForeignTable &table, runtime::ElementType stored);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_COMPUTED_H
