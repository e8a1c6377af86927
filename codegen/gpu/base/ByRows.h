// Two kernels that do the same, of which a launch has the one that suits its rows.
#ifndef WEFT_CODEGEN_GPU_BASE_BYROWS_H
#define WEFT_CODEGEN_GPU_BASE_BYROWS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Both in turn, with what is launched behind each; the one that does not suit has no blocks: `few`
/// is for at most `most` of `rows`, `many` for more.
DeviceKernel chosenByRows(llvm::ArrayRef<DimAttr> rows, int64_t most, const DeviceKernel &few,
                          const DeviceKernel &many, Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_BYROWS_H
