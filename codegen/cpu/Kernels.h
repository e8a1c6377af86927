// The kernel builders of the CPU: each turns one `kernel.fused` into LLVM functions, for one
// instruction set.
#ifndef WEFT_CODEGEN_CPU_KERNELS_H
#define WEFT_CODEGEN_CPU_KERNELS_H

#include "codegen/cpu/Emission.h"
#include "ir/kernel/Kernel.h"

namespace weft::cpu {

/// What the plan needs of a kernel. All are internal functions of the emission's module.
/// `run` has the type of WeftKernel (runtime/Abi.h): void(ptr sizes, ptr buffers, i64 begin, i64
/// end, ptr scratch). `tasks` and `scratch` are i64(ptr sizes): the number of independent tasks,
/// and the bytes of scratch a worker needs. Buffers: operands, then results; then, if the kernel
/// holds a `model.random`, what it draws from: seed, step and the index of the first element, three
/// u64 (see `plan.random_key`). A result that must start from zero (scatter) is cleared by the
/// kernel itself.
struct KernelFunctions {
  llvm::Function *run = nullptr;
  llvm::Function *tasks = nullptr;
  llvm::Function *scratch = nullptr;
};

/// Emits `op`, choosing the builder by its family. Every operand and result must have a layout. The
/// name of the functions starts with `name`. Fails with a diagnostic on the op if the builder
/// cannot do it.
mlir::FailureOr<KernelFunctions> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                            Emission &emission);

// One builder a family; each in its own files.
mlir::FailureOr<KernelFunctions> emitContraction(kernel::FusedOp op, llvm::StringRef name,
                                                 Emission &emission);
mlir::FailureOr<KernelFunctions> emitPack(kernel::FusedOp op, llvm::StringRef name,
                                          Emission &emission);
mlir::FailureOr<KernelFunctions> emitAttention(kernel::FusedOp op, llvm::StringRef name,
                                               Emission &emission);
mlir::FailureOr<KernelFunctions> emitAttentionGrad(kernel::FusedOp op, llvm::StringRef name,
                                                   Emission &emission);
mlir::FailureOr<KernelFunctions> emitRows(kernel::FusedOp op, llvm::StringRef name,
                                          Emission &emission);
mlir::FailureOr<KernelFunctions> emitScatter(kernel::FusedOp op, llvm::StringRef name,
                                             Emission &emission);
mlir::FailureOr<KernelFunctions> emitTable(kernel::FusedOp op, llvm::StringRef name,
                                           Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_KERNELS_H
