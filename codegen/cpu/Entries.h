// plan dialect  ==>  LLVM IR: the functions of every entry, for one instruction set.
#ifndef WEFT_CODEGEN_CPU_ENTRIES_H
#define WEFT_CODEGEN_CPU_ENTRIES_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/plan/Plan.h"

namespace weft::cpu {

/// Emits every kernel and entry of a planned module, and an array of WeftEntryCode
/// (runtime/Abi.h) in the order of the entries. Diagnostics are on the ops at fault.
mlir::LogicalResult lowerPlan(mlir::ModuleOp module, IsaEmission &emission);

/// The name of the array above.
std::string codeTableName(Isa isa);
/// That of the names of its kernels: an array of WeftNamedKernel.
std::string kernelTableName(Isa isa);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ENTRIES_H
