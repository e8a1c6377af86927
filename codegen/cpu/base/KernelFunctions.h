// What the plan needs of a kernel of the CPU.
#ifndef WEFT_CODEGEN_CPU_BASE_KERNELFUNCTIONS_H
#define WEFT_CODEGEN_CPU_BASE_KERNELFUNCTIONS_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/kernel/Kernel.h"

namespace weft::cpu {

/// What the plan needs of a kernel. All are internal functions of the emission's module.
/// `run` has the type of WeftKernel (runtime/Abi.h): void(ptr sizes, ptr buffers, i64 begin, i64
/// end, ptr scratch). `tasks` and `scratch` are i64(ptr sizes): the number of independent tasks,
/// and the bytes of scratch a worker needs. Buffers: operands, then results; then, if the kernel
/// holds a `model.random`, what it draws from: seed, step and the index of the first element, three
/// u64 (see `plan.random_key`); then the memory of a kernel in two launches. A result that must
/// start from zero (scatter) is cleared by the kernel itself.
struct KernelFunctions {
  llvm::Function *run = nullptr;
  llvm::Function *tasks = nullptr;
  llvm::Function *scratch = nullptr;

  /// Of a kernel in two launches, else null. `join` is as `run`, with the same buffers and scratch;
  /// it does `joins` tasks when all of `run` are done, none where the sizes need no second launch.
  /// `shared` gives the bytes of the memory that all tasks of both have.
  llvm::Function *join = nullptr;
  llvm::Function *joins = nullptr;
  llvm::Function *shared = nullptr;

  /// How launches of several runs can be one: WeftRows (runtime/Abi.h); null where they cannot.
  llvm::GlobalVariable *rows = nullptr;
};

/// The number of the memory of a kernel in two launches, among its buffers.
inline unsigned sharedBufferOf(kernel::FusedOp op) {
  bool draws = !op.getBody().front().getOps<model::RandomOp>().empty();
  return op.getNumOperands() + op.getNumResults() + draws;
}

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_KERNELFUNCTIONS_H
