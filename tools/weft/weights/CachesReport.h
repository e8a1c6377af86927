// What `--caches-as` made of a program's caches.
#ifndef WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H
#define WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H

#include "ir/model/weights/CacheFormat.h"
#include "ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace weft {

/// A line for each decoding of a plan with caches that are stored as fewer bits than float32: how
/// many, and the bytes that one position of a text takes in those that grow. Empty if there are
/// none.
std::string cachesReport(mlir::ModuleOp plan);

/// Whether some cache of a decoding is stored so, as `bf16` or `int8`.
bool keepsCachesAs(mlir::ModuleOp plan, model::CacheFormat format);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_WEIGHTS_CACHESREPORT_H
