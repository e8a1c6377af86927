// What the runtime is told of kernels: WeftDeviceKernel of runtime/Abi.h.
#ifndef WEFT_CODEGEN_GPU_RECORDS_H
#define WEFT_CODEGEN_GPU_RECORDS_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// The record of a kernel that takes so many `sizes`, as a constant of the host's module. With
/// `emulated` it names the kernel as a function of this machine, which code is linked with.
llvm::Constant *recordOf(const DeviceKernel &kernel, unsigned sizes, bool emulated,
                         llvm::Module &host);
/// A constant of the host's module that lies in memory.
llvm::GlobalVariable *placed(llvm::Constant *value, const llvm::Twine &name, llvm::Module &host);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_RECORDS_H
