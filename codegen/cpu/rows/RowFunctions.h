// How the work of a rows kernel is divided into tasks and vectors.
#ifndef WEFT_CODEGEN_CPU_ROWS_ROWFUNCTIONS_H
#define WEFT_CODEGEN_CPU_ROWS_ROWFUNCTIONS_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Elementwise.h"
#include "codegen/emit/Frame.h"
#include "ir/cpu/Cpu.h"
#include "ir/kernel/RowProgram.h"

namespace weft::cpu {

/// Tasks are row groups times blocks of lanes, all i64. Without outer lanes there is one block.
struct RowPartition {
  llvm::Value *rows, *rowsPerTask, *laneCount, *laneBlock, *laneBlocks, *tasks;
};
RowPartition partition(Frame frame, const RowProgram &program, RowsAttr schedule);

/// The number of elements along the lanes, if it is static.
std::optional<int64_t> laneCount(const RowProgram &program, const Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWS_ROWFUNCTIONS_H
