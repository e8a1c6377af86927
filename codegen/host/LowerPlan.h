// plan dialect  ==>  LLVM IR: the functions of every entry, for one instruction set.
#ifndef WEFT_CODEGEN_HOST_LOWERPLAN_H
#define WEFT_CODEGEN_HOST_LOWERPLAN_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/plan/Plan.h"

namespace weft {

/// Emits every kernel and entry of a planned module, and `weft_code_<isa>`: an array of
/// WeftEntryCode (runtime/Abi.h) in the order of the entries. Diagnostics are on the ops at fault.
mlir::LogicalResult lowerPlan(mlir::ModuleOp module, cpu::IsaEmission &emission);

/// The name of the array above.
std::string codeTableName(cpu::Isa isa);

/// Emits `weft_program` (runtime/Abi.h) with its JSON and the tables of the given instruction
/// sets.
void emitProgram(mlir::ModuleOp module, llvm::StringRef json, llvm::ArrayRef<cpu::Isa> isas,
                 cpu::IsaEmission &emission);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_LOWERPLAN_H
