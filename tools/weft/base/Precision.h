// --precision: in how many bits floats are kept.
#ifndef WEFT_TOOLS_WEFT_BASE_PRECISION_H
#define WEFT_TOOLS_WEFT_BASE_PRECISION_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Writes the precision of --precision into the module, if there is one. Gives what is wrong with
/// it, or with what the module says, for that target.
std::optional<std::string> setPrecision(const Arguments &arguments, const Target &target,
                                        mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_PRECISION_H
