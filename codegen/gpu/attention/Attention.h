// Kernels of attention, without a score in memory.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_ATTENTION_H
#define WEFT_CODEGEN_GPU_ATTENTION_ATTENTION_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Flash attention (Dao et al., arXiv:2205.14135; the order of the loops is that of Dao,
/// arXiv:2307.08691): a block has some queries, and goes through the keys. Sizes of depth and
/// values are static. Fails with a diagnostic where the region is no attention.
mlir::FailureOr<DeviceKernel> emitAttention(kernel::FusedOp op, cuda::AttentionAttr schedule,
                                            llvm::StringRef name, Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_ATTENTION_H
