// The kernel builders of GPUs: each turns one `kernel.fused` into a kernel of the device's module.
#ifndef WEFT_CODEGEN_GPU_KERNELS_H
#define WEFT_CODEGEN_GPU_KERNELS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Emits `op` as its schedule for the device says, else as the cost model chooses. `name` is one
/// that PTX takes; operands lie at multiples of `alignments` bytes, or, where nothing is said, of
/// their elements. Fails with a diagnostic on the op if the builder cannot do it.
mlir::FailureOr<DeviceKernel> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                         Emissions emissions,
                                         llvm::ArrayRef<unsigned> alignments = {});

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_KERNELS_H
