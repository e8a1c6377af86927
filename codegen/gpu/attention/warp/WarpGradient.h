// Kernels of the gradient of attention by matrix instructions of a warp, where queries, keys,
// values and the gradient of the output are bf16.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENT_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENT_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Blocks are those of emitAttentionGrad: some have queries and go through the keys, others have
/// keys and go through the queries, so that nothing is added in memory. Operand i lies at a
/// multiple of `alignments[i]` bytes. Fails with a diagnostic where the region is no gradient of
/// attention.
mlir::FailureOr<DeviceKernel> emitWarpGradient(kernel::FusedOp op,
                                               cuda::MmaAttentionGradAttr schedule,
                                               llvm::StringRef name, Emissions emissions,
                                               llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPGRADIENT_H
