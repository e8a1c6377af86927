// A kernel whose tasks pack what they have written.
#ifndef WEFT_CODEGEN_CPU_INSTEP_H
#define WEFT_CODEGEN_CPU_INSTEP_H

#include "codegen/cpu/base/KernelFunctions.h"

namespace weft::cpu {

/// A pack that goes behind another kernel, as many times as a loop has passes.
struct PackBehind {
  KernelFunctions kernel;
  int64_t passes = 1;
  int64_t from = 0, to = 0; ///< bytes from one pass to the next, of what it reads and writes
};

/// The `run` of a kernel of so many buffers that is followed, task by task, by packs: task i of all
/// passes of a pack runs behind task i of the kernel. It has as many tasks as that, and the scratch
/// of whichever needs most. Buffers: the kernel's, then two for each pack. One whose second buffer
/// is null is left out.
llvm::Function *emitInStep(llvm::StringRef name, llvm::Function *leader, unsigned buffers,
                           llvm::ArrayRef<PackBehind> packs, Emission &emission);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_INSTEP_H
