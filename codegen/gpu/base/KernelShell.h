// A kernel of a device, with what the host computes of it: its blocks, and the bytes of scratch.
#ifndef WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H
#define WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "codegen/gpu/instructions/Tensor.h"

namespace weft::gpu {

/// WeftTensorMap of runtime/Abi.h while it is written: i64 from the contiguous dimension on.
struct TensorOfMap {
  struct Dim {
    llvm::Value *size;
    llvm::Value *stride; ///< in bytes; of the first: null
    unsigned box;
  };
  llvm::Value *base;
  llvm::SmallVector<Dim, 5> dims;
  unsigned elementBytes, swizzle;
};

class KernelShell {
public:
  /// Of `op`: its operands, its results, and what it draws random numbers from. What blocks share
  /// beside what it declares is instructions/Kernel.h: dynamicShared.
  KernelShell(kernel::FusedOp op, llvm::StringRef name, Emissions emissions,
              const LaunchShape &shape);

  /// In the kernel.
  Frame frame();
  llvm::Value *scratch() const { return kernel->getArg(2); }
  TensorMapArgument map(unsigned number) const { return {kernel->getArg(3 + number)}; }
  /// Before finish(), of a kernel that copies tiles: its tensors, in the order of their numbers,
  /// from sizes and the addresses of buffers (of the host's frame).
  void describe(llvm::function_ref<llvm::SmallVector<TensorOfMap>(Frame)> tensors);
  /// Ends the kernel and writes the host's functions; the callbacks give an i64 from sizes alone.
  DeviceKernel finish(llvm::function_ref<llvm::Value *(Frame)> blocks,
                      llvm::function_ref<llvm::Value *(Frame)> scratch);

private:
  llvm::Function *count(Emission &emission, llvm::StringRef suffix,
                        llvm::function_ref<llvm::Value *(Frame)> value);

  std::string name;
  Emissions emissions;
  unsigned buffers;
  LaunchShape shape;
  llvm::Function *kernel;
  llvm::IRBuilder<> builder;
  llvm::Function *description = nullptr;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H
