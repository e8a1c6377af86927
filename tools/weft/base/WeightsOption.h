// --weights-as: which weights are kept as whole numbers.
#ifndef WEFT_TOOLS_WEFT_BASE_WEIGHTSOPTION_H
#define WEFT_TOOLS_WEFT_BASE_WEIGHTSOPTION_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Writes what --weights-as says into the module, if it is given. Gives what is wrong with it, or with what the module says, for
/// that target.
std::optional<std::string> setWeightsAs(const Arguments &arguments, const Target &target,
                                        mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_WEIGHTSOPTION_H
