// What a program says of its kernels.
#ifndef WEFT_CODEGEN_HOST_KERNELFACTS_H
#define WEFT_CODEGEN_HOST_KERNELFACTS_H

#include "ir/kernel/DimTable.h"

#include "llvm/Support/JSON.h"

namespace weft {

/// Of each kernel of a plan, in its order: its name, its family, the user's lines behind it, and
/// what it has to do at least, as formulas (docs/abi.md). It is what measured times are read
/// beside.
llvm::json::Array kernelFacts(mlir::ModuleOp plan, const kernel::DimTable &dims);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_KERNELFACTS_H
