// The targets that --target names.
#ifndef WEFT_TOOLS_WEFT_BASE_ASKEDTARGETS_H
#define WEFT_TOOLS_WEFT_BASE_ASKEDTARGETS_H

#include "codegen/Target.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// Fills in the targets of a list, the default one where there is none. `several`: more than one
/// may be asked for. Gives what is wrong with the list, or nothing.
std::optional<std::string> askedTargets(const Arguments &arguments, bool several,
                                        std::vector<const Target *> &targets);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_ASKEDTARGETS_H
