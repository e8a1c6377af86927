// What `--caches-as` made of a program's caches.
#ifndef WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H
#define WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H

#include "ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace weft {

/// A line for each decoding of a plan with caches that are stored as fewer bits than float32: how
/// many, and the bytes of all for one position of one text. Empty if there are none.
std::string cachesReport(mlir::ModuleOp plan);

/// Whether some cache of a plan is stored as whole numbers.
bool hasRoundedCaches(mlir::ModuleOp plan);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H
