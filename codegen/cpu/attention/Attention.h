// Kernels of attention and of its gradient.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H
#define WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

mlir::FailureOr<KernelFunctions> emitAttention(kernel::FusedOp op, AttentionAttr schedule,
                                               llvm::StringRef name, Emission &emission);
mlir::FailureOr<KernelFunctions> emitAttentionGrad(kernel::FusedOp op, AttentionGradAttr schedule,
                                                   llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H
