// Which lines of the user's an op comes from.
#ifndef WEFT_IR_MODEL_SOURCELINES_H
#define WEFT_IR_MODEL_SOURCELINES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Region.h"

#include <set>

namespace weft::model {

/// The user's own place, where there is one: of what the library computes, the call. Null where
/// nothing is known.
mlir::FileLineColLoc sourceOf(mlir::Location at);

/// The user's lines behind all ops of a region, those of one file.
std::set<unsigned> linesOf(mlir::Region &region);

} // namespace weft::model

#endif // WEFT_IR_MODEL_SOURCELINES_H
