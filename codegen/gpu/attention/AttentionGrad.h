// Kernels of the gradient of attention, without a score in memory.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_ATTENTIONGRAD_H
#define WEFT_CODEGEN_GPU_ATTENTION_ATTENTIONGRAD_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Weights are recomputed from the logsumexp (Dao et al., arXiv:2205.14135, appendix B), twice: a
/// block has some queries, goes through the keys and sums up gradients of its queries; or it has
/// some keys, goes through the queries and sums up gradients of its keys and values. So nothing is
/// added in memory. Sizes of depth and values are static. Fails with a diagnostic where the region
/// is no gradient of attention.
mlir::FailureOr<DeviceKernel> emitAttentionGrad(kernel::FusedOp op,
                                                cuda::AttentionGradAttr schedule,
                                                llvm::StringRef name, Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_ATTENTIONGRAD_H
