// A side of a product as a tensor: what the host describes, and where a tile of it lies.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_TENSORTILES_H
#define WEFT_CODEGEN_GPU_CONTRACTION_TENSORTILES_H

#include "codegen/gpu/base/KernelShell.h"
#include "ir/cuda/TensorSide.h"

namespace weft::gpu {

/// Whether a buffer begins where a tensor may, in every launch.
bool beginsTensor(llvm::ArrayRef<unsigned> alignments, unsigned buffer);
/// In the host's frame: a buffer as the tensor that `side` is, of which boxes are copied, whose
/// contiguous dimension comes first.
TensorOfMap tensorOf(Frame frame, unsigned buffer, const cuda::TensorSide &side,
                     std::pair<unsigned, unsigned> box);

/// Of a box, from those of its first element (i32) at a position of the batch (i64): one for each
/// dimension of the tensor, i32.
llvm::SmallVector<llvm::Value *> coordinatesOf(Frame frame, const cuda::TensorSide &side,
                                               llvm::Value *batch, llvm::Value *across,
                                               llvm::Value *deep);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_TENSORTILES_H
