// --precision, --weights-as and --caches-as: in how many bits floats, weights and caches are kept.
#ifndef WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H
#define WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Writes what the options say into the module. Gives what is wrong with it, or with what the
/// module says: with the precision for `target`, with weights and caches for any of `all`.
std::optional<std::string> setStorage(const Arguments &arguments, const Target &target,
                                      llvm::ArrayRef<const Target *> all, mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H
