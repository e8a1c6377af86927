// A kernel of a device, with what the host computes of it: its blocks, and the bytes of scratch.
#ifndef WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H
#define WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

class KernelShell {
public:
  /// Of `op`: its operands, its results, and what it draws random numbers from. Its blocks have
  /// `shared` bytes of memory beside what it declares (instructions/Kernel.h: dynamicShared).
  KernelShell(kernel::FusedOp op, llvm::StringRef name, Emissions emissions, unsigned threads,
              unsigned shared = 0);

  /// In the kernel.
  Frame frame();
  llvm::Value *scratch() const { return kernel->getArg(2); }
  /// Ends the kernel and writes the host's functions; the callbacks give an i64 from sizes alone.
  DeviceKernel finish(llvm::function_ref<llvm::Value *(Frame)> blocks,
                      llvm::function_ref<llvm::Value *(Frame)> scratch);

private:
  llvm::Function *count(llvm::StringRef suffix, llvm::function_ref<llvm::Value *(Frame)> value);

  std::string name;
  Emissions emissions;
  unsigned buffers, threads, shared;
  llvm::Function *kernel;
  llvm::IRBuilder<> builder;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_BASE_KERNELSHELL_H
