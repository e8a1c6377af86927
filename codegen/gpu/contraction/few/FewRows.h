// Kernels of products of few rows: a block reads its columns of the right side once, from memory to
// registers, and adds up what its threads have of the depth.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_FEW_FEWROWS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_FEW_FEWROWS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Operand i lies at a multiple of `alignments[i]` bytes. Fails with a diagnostic where the region
/// is no contraction.
mlir::FailureOr<DeviceKernel> emitFewRows(kernel::FusedOp op, cuda::FewRowsAttr schedule,
                                          llvm::StringRef name, Emissions emissions,
                                          llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_FEW_FEWROWS_H
