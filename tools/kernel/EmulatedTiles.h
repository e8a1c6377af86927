// AMX on machines that have none, for kernels on trial.
#ifndef WEFT_TOOLS_KERNEL_EMULATEDTILES_H
#define WEFT_TOOLS_KERNEL_EMULATEDTILES_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace weft::trial {

/// Calls functions in place of AMX's instructions. A thread has tiles of its own, which are poison
/// until they are configured.
void replaceTiles(llvm::Module &module);
/// Has `jit` know those functions.
void defineTiles(llvm::orc::LLJIT &jit);

/// Whether this thread has configured tiles and not released them.
bool holdsTiles();
/// How often threads of this process have configured tiles.
int64_t tileConfigurations();

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_EMULATEDTILES_H
