// Which schedules a kernel may have on a machine, and which of them is the default.
#ifndef WEFT_IR_CPU_SCHEDULES_H
#define WEFT_IR_CPU_SCHEDULES_H

#include "ir/cpu/Cpu.h"
#include "ir/cpu/Machine.h"
#include "ir/kernel/DimTable.h"

namespace weft::cpu {

/// The machine of an instruction set, with as many cores as the module of `op` is for.
Machine machineFor(Isa isa, mlir::Operation *op);

/// A kernel with layouts, and the dimensions of its program.
struct KernelCase {
  kernel::FusedOp op;
  const kernel::DimTable &dims;
};

/// What a cost model chooses; a diagnostic on the kernel if its region is not of its family.
mlir::FailureOr<kernel::ScheduleAttr> defaultSchedule(KernelCase kernel, const Machine &machine);
/// The schedules that are worth measuring, the default first.
mlir::FailureOr<llvm::SmallVector<kernel::ScheduleAttr>> legalSchedules(KernelCase kernel,
                                                                        const Machine &machine);
/// Whether the builder of the kernel's family can emit `schedule`; a diagnostic on the kernel says
/// why not. What the attribute's own verifier checks is not checked again.
mlir::LogicalResult checkSchedule(kernel::FusedOp op, kernel::ScheduleAttr schedule,
                                  const Machine &machine);
/// What the kernel says for the machine's instruction set, else the default.
mlir::FailureOr<kernel::ScheduleAttr> scheduleOf(KernelCase kernel, const Machine &machine);

/// Whether a machine multiplies by tiles of AMX, which have schedules of their own: all products of
/// a contraction, of pairs, or of whole numbers that share scales where the rows beside them lie at
/// one stride; or an attention's scores.
bool multipliesByTiles(KernelCase kernel, const Machine &machine);

/// Whether a micro-kernel of this tile keeps its sums, what it reads of a row of the right side,
/// and an element of the left side in registers.
bool fits(Tile tile, const Machine &machine);
/// The tiles that fit and whose sums take at least half of the registers.
llvm::SmallVector<Tile> tilesOf(const Machine &machine);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_SCHEDULES_H
