// Kernels that are launched as one: each block finds out of which kernel it is.
#ifndef WEFT_CODEGEN_GPU_JOINED_H
#define WEFT_CODEGEN_GPU_JOINED_H

#include "codegen/gpu/base/DeviceEmission.h"

namespace weft::gpu {

/// A kernel that was emitted as a part (DeviceEmission::Kind), and how many launches of it are
/// here.
struct JoinedPart {
  DeviceKernel kernel;
  unsigned launches;
};

/// The kernel that does all launches of all parts, whose blocks have equally many threads. It takes
/// the buffers of the parts in their order, those of each launch one behind the other.
DeviceKernel emitJoined(llvm::StringRef name, llvm::ArrayRef<JoinedPart> parts,
                        Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_JOINED_H
