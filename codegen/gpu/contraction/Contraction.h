// Kernels of products of matrices over named dimensions, with what is computed of each element
// beside them.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_CONTRACTION_H
#define WEFT_CODEGEN_GPU_CONTRACTION_CONTRACTION_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Operands have strided layouts. Fails with a diagnostic where the region is no contraction.
mlir::FailureOr<DeviceKernel> emitContraction(kernel::FusedOp op, cuda::ContractionAttr schedule,
                                              llvm::StringRef name, Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_CONTRACTION_H
