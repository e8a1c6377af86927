// The cuda dialect: schedules of kernels on an NVIDIA GPU. See Cuda.td.
#ifndef WEFT_IR_CUDA_CUDA_H
#define WEFT_IR_CUDA_CUDA_H

#include "ir/kernel/Kernel.h"

#include "ir/cuda/CudaDialect.h.inc"

namespace weft::cuda {
constexpr int64_t warpThreads = 32, mostThreads = 1024;
} // namespace weft::cuda

#define GET_ATTRDEF_CLASSES
#include "ir/cuda/CudaAttrdef.h.inc"

#endif // WEFT_IR_CUDA_CUDA_H
