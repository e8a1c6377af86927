// At which addresses the buffers of a kernel begin, in all of its launches.
#ifndef WEFT_CODEGEN_GPU_ALIGNMENTS_H
#define WEFT_CODEGEN_GPU_ALIGNMENTS_H

#include "ir/kernel/DimTable.h"
#include "ir/plan/Plan.h"

#include "llvm/ADT/StringMap.h"

namespace weft::gpu {

/// By kernel, for each of its buffers: a power of two that every address of it is a multiple of,
/// whatever the sizes of a run, as far as the plan shows it. Buffers of a call are at multiples of
/// `ofBuffers` (docs/abi.md), and a kernel may be given parts of them.
llvm::StringMap<llvm::SmallVector<unsigned>> alignmentsOf(mlir::ModuleOp plan,
                                                          const kernel::DimTable &dims);
constexpr unsigned ofBuffers = 64;

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ALIGNMENTS_H
