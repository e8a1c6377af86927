// Tensors of foreign files that are computed: what their entries give.
#ifndef WEFT_TOOLS_WEFT_COMPUTED_H
#define WEFT_TOOLS_WEFT_COMPUTED_H

#include "frontend/weights/Plan.h"

namespace weft {

/// The tensor, of the plan of `module`: evaluated in float64, rounded once. Prints what is wrong.
std::optional<std::vector<float>> compute(const ForeignTable &table, mlir::ModuleOp module);

/// How far a file's numbers may be from ours, relative to the largest of ours: others compute such
/// tables in float32, where the cosine of a large angle is off by as much as the angle is rounded,
/// or keep them in half precision.
inline constexpr float computedTolerance = 0.01f;

} // namespace weft

#endif // WEFT_TOOLS_WEFT_COMPUTED_H
