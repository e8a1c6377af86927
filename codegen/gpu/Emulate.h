// LLVM IR of a GPU's kernels  ==>  the same for this machine, with calls of runtime/emulator in
// place of what only a GPU has.
#ifndef WEFT_CODEGEN_GPU_EMULATE_H
#define WEFT_CODEGEN_GPU_EMULATE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::gpu {

/// The instructions that messages of the emulator speak of by number.
using Sites = std::vector<std::string>;

struct EmulateOptions {
  /// Whether kernels tell of their plain loads and stores, and how many instructions they run:
  /// without it they are faster, and of races the emulator sees those of copies and matrices only.
  bool accesses = true;
};

/// Changes `module`, which is for NVPTX and as it would become PTX, to one for `machine`. Each
/// kernel `k` becomes `k`, which takes the addresses of its arguments: void(ptr). Fails at what the
/// emulator does not know.
llvm::Expected<Sites> emulate(llvm::Module &module, const llvm::TargetMachine &machine,
                              const EmulateOptions &options = {});

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_EMULATE_H
