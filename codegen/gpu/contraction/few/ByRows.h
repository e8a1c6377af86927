// Two kernels of one product, of which a launch has the one that suits its rows.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_FEW_BYROWS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_FEW_BYROWS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Both in turn; the one that does not suit has no blocks: `few` is for at most `rows` rows, `many`
/// for more.
mlir::FailureOr<DeviceKernel> chosenByRows(kernel::FusedOp op, int64_t rows, DeviceKernel few,
                                           const DeviceKernel &many, Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_FEW_BYROWS_H
