// What the gradient of an attention's output and that output give together in each row: found once,
// before a kernel that asks for it in every tile of keys.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GROUP_ROWPRODUCTS_H
#define WEFT_CODEGEN_GPU_ATTENTION_GROUP_ROWPRODUCTS_H

#include "codegen/gpu/attention/Buffers.h"
#include "codegen/gpu/base/KernelShell.h"

namespace weft::gpu {

/// Where that of a row of a position of the batch (i64) lies in the scratch of both kernels.
llvm::Value *rowProductAt(Frame frame, const AttentionForm &form, llvm::Value *scratch,
                          llvm::Value *batch, llvm::Value *row);

/// Both are stored as bf16, and each of their rows begins where a tensor may.
DeviceKernel emitRowProducts(kernel::FusedOp op, const AttentionForm &form, llvm::StringRef name,
                             Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GROUP_ROWPRODUCTS_H
