// Kernels of contractions, and of the panels that they read.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H
#define WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// Each sum of each segment (ir/kernel/ContractionForm.h), [batch][rows][columns], is the sum of
/// its terms' products left [batch][rows][k] x right [batch][k][columns], the right sides in
/// panels; then comes the epilogue of elementwise ops. Fails with a diagnostic on `op` if its
/// region is of another form.
mlir::FailureOr<KernelFunctions> emitContraction(kernel::FusedOp op, ContractionAttr schedule,
                                                 llvm::StringRef name, Emission &emission);
/// Copies [batch][k][columns] of any strides to panels [batch][columns / 16][k][16], the last one
/// padded with zeros.
mlir::FailureOr<KernelFunctions> emitPack(kernel::FusedOp op, PackAttr schedule,
                                          llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_CONTRACTION_H
