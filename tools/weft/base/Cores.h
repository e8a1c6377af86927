// --cores: how many cores schedules are chosen for.
#ifndef WEFT_TOOLS_WEFT_BASE_CORES_H
#define WEFT_TOOLS_WEFT_BASE_CORES_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Sets `cores` to the number of --cores, if there is one; gives what is wrong with it.
std::optional<std::string> readCores(const Arguments &arguments, const Target &target,
                                     int64_t &cores);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_CORES_H
