// Products of matrices over named dimensions, by wgmma on tiles of tensors that TMA copies.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_GROUP_GROUPPRODUCTS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_GROUP_GROUPPRODUCTS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// `alignments`: of each buffer a power of two that its address is a multiple of in every launch.
/// Without a diagnostic there is nothing where an address may lie where no tensor begins.
mlir::FailureOr<std::optional<DeviceKernel>>
emitGroupProducts(kernel::FusedOp op, cuda::WgmmaAttr schedule, llvm::StringRef name,
                  Emissions emissions, llvm::ArrayRef<unsigned> alignments);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_GROUP_GROUPPRODUCTS_H
