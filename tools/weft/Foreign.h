// Parameters from and to checkpoints that others wrote, where a plan says.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_H
#define WEFT_TOOLS_WEFT_FOREIGN_H

#include "frontend/weights/Plan.h"
#include "tools/weft/Compilation.h"
#include "tools/weft/TensorFiles.h"
#include "tools/weft/Weights.h"

namespace weft {

/// The plan of the clause that `--clause` names (the only one), for the module of `compilation`;
/// prints what is wrong.
std::optional<ForeignPlan> planOf(Compilation &compilation, const char *command);

/// Fills `weights` from `files`, whose names start with `prefix`. Every tensor of the plan must be
/// there with its shape and finite numbers, and every tensor of the files be used or ignored; a
/// state that they lack keeps its first value. Prints what is wrong.
bool importWeights(Weights &weights, const ForeignPlan &plan, const TensorFiles &files,
                   const std::string &prefix);

/// Writes every tensor of the plan as floats of `type`: F32, F16 or BF16. Prints what is wrong: a
/// number that is too large for it.
bool exportWeights(const Weights &weights, const ForeignPlan &plan, const std::string &prefix,
                   runtime::ElementType type, const std::string &path);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_H
