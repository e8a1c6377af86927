// The gradient of attention over named dimensions by wgmma, on tiles of tensors that TMA copies.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_GROUPGRADIENT_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_GROUPGRADIENT_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Blocks are those of emitAttentionGrad. `alignments`: of each buffer a power of two that its
/// address is a multiple of in every launch. Without a diagnostic there is nothing where an address
/// may lie where no tensor begins.
mlir::FailureOr<std::optional<DeviceKernel>>
emitGroupGradient(kernel::FusedOp op, cuda::WgmmaAttentionGradAttr schedule, llvm::StringRef name,
                  Emissions emissions, llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_GROUPGRADIENT_H
