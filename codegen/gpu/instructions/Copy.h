// Copies from global to shared memory that go on while a thread does (sm_80 and later): cp.async.
#ifndef WEFT_CODEGEN_GPU_INSTRUCTIONS_COPY_H
#define WEFT_CODEGEN_GPU_INSTRUCTIONS_COPY_H

#include "codegen/gpu/instructions/Kernel.h"

namespace weft::gpu {

/// `bytes`: 4, 8 or 16, both addresses multiples of that. Of `given` (i32) bytes, the others become
/// zeros.
void copyAsync(Builder &builder, llvm::Value *shared, llvm::Value *global, unsigned bytes,
               llvm::Value *given);
/// What this thread has asked for since the last time is a group.
void commitCopies(Builder &builder);
/// Until at most so many of this thread's last groups are under way. What other threads asked for
/// is there behind a barrier after it.
void waitForCopies(Builder &builder, unsigned underWay);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_INSTRUCTIONS_COPY_H
