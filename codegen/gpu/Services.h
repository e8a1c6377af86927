// The kernels that the runtime needs between entries: WeftDeviceServices of runtime/Abi.h.
#ifndef WEFT_CODEGEN_GPU_SERVICES_H
#define WEFT_CODEGEN_GPU_SERVICES_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// Writes the kernels into the device's module, and gives their records, which lie in the host's.
llvm::Constant *emitServices(DeviceEmission &device, llvm::Module &host, bool emulated);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_SERVICES_H
