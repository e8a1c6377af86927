// Kernels of attention by matrix instructions of a warp, where queries, keys and values are bf16.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPATTENTION_H
#define WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPATTENTION_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// A warp has queries of its own, and goes through all keys of the block (Dao, arXiv:2307.08691):
/// no score leaves its registers. Operand i lies at a multiple of `alignments[i]` bytes. Sizes of
/// depth and values are static. Fails with a diagnostic where the region is no attention.
mlir::FailureOr<DeviceKernel> emitWarpAttention(kernel::FusedOp op, cuda::MmaAttentionAttr schedule,
                                                llvm::StringRef name, Emissions emissions,
                                                llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_WARP_WARPATTENTION_H
