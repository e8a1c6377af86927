// Kernels of attention and of its gradient.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H
#define WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H

#include "codegen/cpu/base/KernelFunctions.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

// Shapes, in the axes of kernel::AttentionForm: q [batch][rows][depth], k [batch][keys][depth], v
// [batch][keys][values]; output [batch][rows][values], logsumexp [batch][rows]; all of them float32
// in strided layouts. Both fail with a diagnostic on `op` where its region is no attention, or its
// mask cannot be computed.

/// s = scale q kᵀ, masked; output = softmax(s) v; logsumexp = log(sum over keys of eˢ).
mlir::FailureOr<KernelFunctions> emitAttention(kernel::FusedOp op, AttentionAttr schedule,
                                               llvm::StringRef name, Emission &emission);
/// With g the gradient of the output and w = exp(s - logsumexp): dv = wᵀ g, ds = w (g vᵀ - d) where
/// d = sum over values of g output; dq = scale ds k, dk = scale dsᵀ q.
mlir::FailureOr<KernelFunctions> emitAttentionGrad(kernel::FusedOp op, AttentionGradAttr schedule,
                                                   llvm::StringRef name, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_ATTENTION_H
