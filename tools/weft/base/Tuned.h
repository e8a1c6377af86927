// --tuned: the file of tunings that schedules are taken from.
#ifndef WEFT_TOOLS_WEFT_BASE_TUNED_H
#define WEFT_TOOLS_WEFT_BASE_TUNED_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace weft {

/// Sets `file` to that of --tuned, if there is one and `target` is one of CPUs; gives what is wrong
/// with it. Of several targets one must be.
std::optional<std::string> readTuned(const Arguments &arguments, const Target &target,
                                     llvm::ArrayRef<const Target *> all, std::string &file);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_TUNED_H
