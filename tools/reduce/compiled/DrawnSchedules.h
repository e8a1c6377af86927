// Schedules that nobody would choose: each kernel gets one of those that are legal.
#ifndef WEFT_TOOLS_REDUCE_COMPILED_DRAWNSCHEDULES_H
#define WEFT_TOOLS_REDUCE_COMPILED_DRAWNSCHEDULES_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>

namespace weft::reduce {

/// Draws, for each instruction set of CPUs, the schedule of every kernel of a module that has
/// layouts: what `weft tune` might find on some machine. A diagnostic where a kernel has none.
mlir::LogicalResult drawSchedules(mlir::ModuleOp module, uint64_t seed);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_DRAWNSCHEDULES_H
