// Weights of files that others wrote, read as a `weights` clause of the program says.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_H
#define WEFT_TOOLS_WEFT_FOREIGN_H

#include "frontend/Weights.h"
#include "tools/weft/Weights.h"

namespace weft {

/// Fills `weights` from `file`. Every parameter must be there with the shape that its layout says
/// and finite numbers, and every tensor of the file must be used or ignored; a state that the file
/// lacks keeps its first value. Prints what is wrong.
bool loadForeign(Weights &weights, mlir::ModuleOp module, const WeightsMap &map,
                 const runtime::SafetensorsFile &file);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_H
