// An attention by mma.sync.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_MMAATTENTION_H
#define WEFT_CODEGEN_GPU_ATTENTION_MMAATTENTION_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Queries, keys and values are stored as bf16; depth and values have known sizes. Weights are
/// multiplied as two numbers of bf16 each, so that 2^-18 of one is lost at most. `alignments`: of
/// each buffer a power of two that its address is a multiple of in every launch.
mlir::FailureOr<DeviceKernel> emitMmaAttention(kernel::FusedOp op, cuda::MmaAttentionAttr schedule,
                                               llvm::StringRef name, Emissions emissions,
                                               llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_MMAATTENTION_H
