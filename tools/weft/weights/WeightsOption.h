// --weights-as: which weights are kept as whole numbers.
#ifndef WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSOPTION_H
#define WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSOPTION_H

#include "codegen/Target.h"

#include <optional>
#include <string>

namespace weft {

/// Writes `text`, what --weights-as says, into the module, if it is given. Gives what is wrong with
/// it, or with what the module says, for that target.
std::optional<std::string> setWeightsAs(const std::optional<std::string> &text,
                                        const Target &target, mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSOPTION_H
