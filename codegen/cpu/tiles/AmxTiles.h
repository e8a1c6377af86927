// The shapes of AMX tiles, and when a task sets them.
#ifndef WEFT_CODEGEN_CPU_TILES_AMXTILES_H
#define WEFT_CODEGEN_CPU_TILES_AMXTILES_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/cpu/Amx.h"

namespace weft::cpu {

/// Has LLVM write no calls of the C library (memcpy, memset) into a function, which may leave other
/// tiles behind: no function has to keep them.
void keepTiles(llvm::Function *function);

/// Shapes that a task has set: to set them takes longer than a few products, so it is done where
/// the number of rows is another than before, and not for every register tile. Cores expect it.
class AmxTiles {
public:
  explicit AmxTiles(Emission &emission) : emission(emission) {}

  /// At the beginning of a task: nothing is set.
  void enter(llvm::IRBuilderBase &builder);
  /// In front of a product of so many rows, 1 to 32, and of one or two panels.
  void shape(llvm::IRBuilderBase &builder, llvm::Value *rows);
  /// At the end of a task, where some were set: a thread that holds tiles is slower to switch to.
  void leave(llvm::IRBuilderBase &builder);

private:
  llvm::GlobalVariable *shapes();

  Emission &emission;
  llvm::Value *current = nullptr; // the number of rows, in memory
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_AMXTILES_H
