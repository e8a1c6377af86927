// The second launch of attention whose keys are cut into parts.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_SPLIT_JOINPARTS_H
#define WEFT_CODEGEN_GPU_ATTENTION_SPLIT_JOINPARTS_H

#include "codegen/gpu/attention/Buffers.h"

namespace weft::gpu {

/// A block for each query.
DeviceKernel emitJoinParts(kernel::FusedOp op, const AttentionForm &form,
                           cuda::SplitAttentionAttr schedule, llvm::StringRef name,
                           Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_SPLIT_JOINPARTS_H
