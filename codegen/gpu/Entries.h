// plan dialect  ==>  LLVM IR: kernels for a device, and the functions of every entry for this
// machine.
#ifndef WEFT_CODEGEN_GPU_ENTRIES_H
#define WEFT_CODEGEN_GPU_ENTRIES_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "ir/plan/Plan.h"

namespace weft::gpu {

/// What the kernel of this number in a plan is called in PTX: names have letters, digits and
/// underscores there, and the number keeps apart what differs in others.
std::string kernelName(unsigned number, llvm::StringRef kernel);

/// Emits every kernel and entry of a planned module, and an array of WeftEntryCode
/// (runtime/Abi.h) under `table`. `emulated`: launches name the kernels as functions of this
/// machine, which code is linked with. Diagnostics are on the ops at fault.
mlir::LogicalResult lowerPlan(mlir::ModuleOp plan, llvm::StringRef table, bool emulated,
                              Emissions emissions);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ENTRIES_H
