// LLVM IR of a GPU's kernels  ==>  the same made fast, and PTX.
#ifndef WEFT_CODEGEN_GPU_PTX_H
#define WEFT_CODEGEN_GPU_PTX_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace weft::gpu {

/// For "sm_80", "sm_90a", …: what drivers of CUDA 12.0 and later read (PTX 8.0) is asked for where
/// it suffices. Fails if this build of LLVM has no NVPTX.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machineOf(llvm::StringRef architecture);

/// Makes `module` one for `machine`, and optimizes it: what the emulator is given too.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// The text of an optimized module.
std::string ptxOf(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_PTX_H
