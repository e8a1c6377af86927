// The kernel builders of the CPU: each turns one `kernel.fused` into LLVM functions, for one
// instruction set.
#ifndef WEFT_CODEGEN_CPU_KERNELS_H
#define WEFT_CODEGEN_CPU_KERNELS_H

#include "codegen/cpu/base/KernelFunctions.h"

namespace weft::cpu {

/// Emits `op` as its schedule for the instruction set says, else as the cost model chooses; the
/// builder is that of its family. Every operand and result must have a layout. The name of the
/// functions starts with `name`. Fails with a diagnostic on the op if the builder cannot do it.
mlir::FailureOr<KernelFunctions> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                            IsaEmission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_KERNELS_H
