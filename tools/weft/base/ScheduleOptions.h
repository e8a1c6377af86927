// --cores and --tuned: what schedules are chosen for, and where they are taken from.
#ifndef WEFT_TOOLS_WEFT_BASE_SCHEDULEOPTIONS_H
#define WEFT_TOOLS_WEFT_BASE_SCHEDULEOPTIONS_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>

namespace weft {

/// Sets `cores` to that of --cores, if there is one; gives what is wrong with it, or with asking
/// `target` for it.
std::optional<std::string> readCores(const Arguments &arguments, const Target &target,
                                     int64_t &cores);

/// Sets `file` to that of --tuned, if there is one and `target` is that of CPUs; gives what is
/// wrong with it. Of several targets one must be.
std::optional<std::string> readTuned(const Arguments &arguments, const Target &target,
                                     llvm::ArrayRef<const Target *> all, std::string &file);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_SCHEDULEOPTIONS_H
