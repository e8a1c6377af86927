// The text of a module as people read it: the source's names, and the source's line behind every
// op.
#ifndef WEFT_TOOLS_WEFT_SHOW_LISTING_H
#define WEFT_TOOLS_WEFT_SHOW_LISTING_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace weft {

/// Prints `module` with values called as in the source, long lines broken, and `// file:line`
/// behind every op that comes from one; if `bare`, one op a line and nothing behind it. The text
/// can be read back by `weft` and `weft-opt`; names and places of values are then lost.
std::string listing(mlir::ModuleOp module, bool bare);

/// The text with MLIR's locations, from which everything can be read back.
std::string listingWithLocations(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SHOW_LISTING_H
