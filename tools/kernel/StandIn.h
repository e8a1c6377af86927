// Kernels for instruction sets that this machine lacks, on this machine.
#ifndef WEFT_TOOLS_KERNEL_STANDIN_H
#define WEFT_TOOLS_KERNEL_STANDIN_H

#include "ir/cpu/Machine.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace weft::trial {

/// Puts what this machine runs in the place of instructions of `isa` that it lacks: wide vectors
/// are split, the numbers stay (but for subnormal ones, which VCVTNEPS2BF16 takes as 0). Where it
/// has AVX-512 and no AMX, tiles stay as they are and are trapped from then on.
void standIn(llvm::Module &module, cpu::Isa isa);
/// This machine as code for `isa` is compiled for it.
llvm::orc::JITTargetMachineBuilder machineFor(cpu::Isa isa);
/// Compiles by such a machine, and knows what stands for instructions.
std::unique_ptr<llvm::orc::LLJIT> jitFor(const llvm::orc::JITTargetMachineBuilder &machine);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_STANDIN_H
