// LLVM IR for NVPTX: optimized, and as PTX.
#ifndef WEFT_CODEGEN_GPU_DEVICECODE_H
#define WEFT_CODEGEN_GPU_DEVICECODE_H

#include "ir/cuda/Schedules.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace weft::gpu {

/// Null if this build of LLVM has no NVPTX target.
std::unique_ptr<llvm::TargetMachine> machineOf(const cuda::Device &device);

/// Prepares an empty module to be filled.
void setMachine(llvm::Module &module, const llvm::TargetMachine &machine);
/// What is optimized is what becomes PTX, and what the emulator runs. Gives what is wrong with the
/// module, or nothing.
std::optional<std::string> optimize(llvm::Module &module, llvm::TargetMachine &machine);
/// Empty if LLVM cannot write it.
std::string ptxOf(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_DEVICECODE_H
