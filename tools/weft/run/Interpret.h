// Running an entry in the float64 interpreter (`weft run --interpret`).
#ifndef WEFT_TOOLS_WEFT_RUN_INTERPRET_H
#define WEFT_TOOLS_WEFT_RUN_INTERPRET_H

#include "tools/weft/base/Compilation.h"

namespace weft {

/// Does what the arguments of `weft run` say; returns the exit code.
int interpretEntry(Compilation &compilation);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_RUN_INTERPRET_H
