// Kernels of products as the compiler builds them, one of a text, and what they should give.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_PRODUCTCASE_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_PRODUCTCASE_H

#include "tests/unit/codegen/KernelHarness.h"

#include "ir/cuda/Schedules.h"
#include "tools/kernel/EmulatedKernel.h"

namespace weft::test {

using trial::EmulatedKernel;

/// Of strides, and bf16 where it is `narrow`.
std::string layout(const std::string &strides, bool narrow);

/// A context that knows of kernels and schedules.
std::unique_ptr<mlir::MLIRContext> contextOfKernels();

/// Numbers for every operand, that bf16 has where it is stored so.
std::vector<Tensor> drawn(kernel::FusedOp op, const Sizes &sizes);

/// Runs the kernel of a text with dimensions on tensors that are drawn, in three orders of warps;
/// its PTX has `instruction` in it.
void expectRight(const std::string &text, const Sizes &sizes, int64_t alignment,
                 const cuda::Device &device, const char *instruction);

/// result[m, n] = sum over k of a[m, k] * b[k, n]; where a side is turned, its other dimension is
/// contiguous. `schedules`: "sm_80 = …". With `tf32` sides are float32, and read so.
std::string plainProduct(const Sizes &known, bool leftTurned, bool rightTurned, bool narrow,
                         const std::string &schedules, bool tf32 = false);

/// Two segments, the second of two products that are added up, with what is added to each; batches,
/// columns of two dimensions, which lie as one or apart. Of every size but m it has its own:
/// sizesOfBoth().
std::string bothProducts(bool apart, const std::string &schedules);
Sizes sizesOfBoth(int64_t m);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_PRODUCTCASE_H
