// The passes of LLVM that kernels go through.
#ifndef WEFT_CODEGEN_HOST_OPTIMIZE_H
#define WEFT_CODEGEN_HOST_OPTIMIZE_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft {

/// A short pipeline (O1, without unrolling and vectorization): kernels are emitted unrolled and in
/// vectors already.
void optimize(llvm::Module &module, llvm::TargetMachine &target);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_OPTIMIZE_H
