// Kernels whose AMX instructions are calls: for machines that do not run what else is in them.
#ifndef WEFT_TOOLS_KERNEL_AMX_REPLACEDTILES_H
#define WEFT_TOOLS_KERNEL_AMX_REPLACEDTILES_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace weft::trial {

/// Calls functions (Tiles.h) in place of AMX's instructions.
void replaceTiles(llvm::Module &module);
/// Has `jit` know those functions.
void defineTiles(llvm::orc::LLJIT &jit);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_AMX_REPLACEDTILES_H
