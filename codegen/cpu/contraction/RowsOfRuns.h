// How launches of a contraction by several runs can be one, of the rows of all.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_ROWSOFRUNS_H
#define WEFT_CODEGEN_CPU_CONTRACTION_ROWSOFRUNS_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::cpu {

/// Writes what the runtime has to know to launch rows of several runs as one (WeftRows in
/// runtime/Abi.h), if they can be. There is a dimension of the rows whose places follow each other
/// in every buffer that has it: `batch`, where each text is one of a batch; nothing that the kernel
/// computes depends on which place it is; and all rows are one register tile, in which each has the
/// bits that it has alone (decision 86).
llvm::GlobalVariable *emitRowsOfRuns(kernel::FusedOp op, const kernel::ContractionForm &form,
                                     Tile tile, const KernelFunctions &functions,
                                     llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_ROWSOFRUNS_H
