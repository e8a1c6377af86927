// What nearly every file that emits code includes: kernels and LLVM's IR; precompiled once.
#ifndef WEFT_CODEGEN_PRECOMPILED_H
#define WEFT_CODEGEN_PRECOMPILED_H

#include "ir/PrecompiledModel.h"
#include "ir/kernel/Kernel.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#endif // WEFT_CODEGEN_PRECOMPILED_H
