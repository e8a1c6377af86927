// --precision, --weights-as and --caches-as: in how many bits floats, weights and caches are kept.
#ifndef WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H
#define WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H

#include "codegen/Target.h"
#include "ir/model/Precision.h"
#include "ir/model/weights/CacheFormat.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Writes what the options say into the module. Gives what is wrong with it, or with what the
/// module says: with the precision for `target`, with weights and caches for any of `all`. `whole`:
/// it has all of the program's entries, of which one must be there that an option is about.
std::optional<std::string> setStorage(const Arguments &arguments, const Target &target,
                                      llvm::ArrayRef<const Target *> all, mlir::ModuleOp module,
                                      bool whole);
/// Why a target's kernels cannot keep caches so, which `said` has asked for; nothing if they can.
std::optional<std::string> wrongCaches(llvm::StringRef said, model::CacheFormat format,
                                       model::Precision precision, const Target &target);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_STORAGEOPTIONS_H
