// Kernels of contractions, and of the panels that they read.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H
#define WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

mlir::FailureOr<KernelFunctions> emitContraction(kernel::FusedOp op, ContractionAttr schedule,
                                                 llvm::StringRef name, Emission &emission);
mlir::FailureOr<KernelFunctions> emitPack(kernel::FusedOp op, PackAttr schedule,
                                          llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H
