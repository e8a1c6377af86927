// The promises of the `plan` stage that cannot be checked op by op.
#ifndef WEFT_PASSES_PLAN_PLANPROMISES_H
#define WEFT_PASSES_PLAN_PLANPROMISES_H

#include "passes/Promises.h"

namespace weft::plan {

/// A buffer that is smaller than what a kernel has in it, or that its slot has no room for.
std::optional<Breach> tooSmall(mlir::ModuleOp module);
/// A buffer that one launch has as float32 and another narrower.
std::optional<Breach> storedInTwoWays(mlir::ModuleOp module);
/// Two buffers of one slot, or of two that may overlap, of which both are needed at one time.
std::optional<Breach> needTheSameSlot(mlir::ModuleOp module);
/// A read of a value over which another was written, in the same pass of a loop or in one before.
std::optional<Breach> readTooLate(mlir::ModuleOp module);
/// A launch or a copy that writes over what it still reads, or over another of its results.
std::optional<Breach> overlapping(mlir::ModuleOp module);
/// Launches that are one, of which one writes what another needs, or that do not follow each other.
std::optional<Breach> notApart(mlir::ModuleOp module);
/// A launch in step that reads what another task has written than that of its number.
std::optional<Breach> outOfStep(mlir::ModuleOp module);
/// A read of what nothing has written yet, or of what a parameter held before it was written.
std::optional<Breach> outOfOrder(mlir::ModuleOp module);

} // namespace weft::plan

#endif // WEFT_PASSES_PLAN_PLANPROMISES_H
