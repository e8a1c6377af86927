// Kernels of products by matrix instructions of a warp, with what is computed of each element
// beside them.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_PRODUCTS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_PRODUCTS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Both sides of every product are stored as bf16, in strided layouts; operand i lies at a multiple
/// of `alignments[i]` bytes. Fails with a diagnostic where the region is no contraction.
mlir::FailureOr<DeviceKernel> emitProducts(kernel::FusedOp op, cuda::MmaAttr schedule,
                                           llvm::StringRef name, Emissions emissions,
                                           llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_PRODUCTS_H
