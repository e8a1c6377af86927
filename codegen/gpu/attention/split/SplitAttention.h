// Attention of few queries: the keys are cut into parts, and what these give is joined.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITATTENTION_H
#define WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITATTENTION_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Two launches: of blocks that have a part of the keys each, and of one block a query, which joins
/// what they left in scratch, in the order of the keys. Operand i lies at a multiple of
/// `alignments[i]` bytes. Sizes of depth and values are static. Fails with a diagnostic where the
/// region is no attention.
mlir::FailureOr<DeviceKernel> emitSplitAttention(kernel::FusedOp op,
                                                 cuda::SplitAttentionAttr schedule,
                                                 llvm::StringRef name, Emissions emissions,
                                                 llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SPLIT_SPLITATTENTION_H
