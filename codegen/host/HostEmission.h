// Functions of the machine that runs entries, and computes for them what follows from sizes.
#ifndef WEFT_CODEGEN_HOST_HOSTEMISSION_H
#define WEFT_CODEGEN_HOST_HOSTEMISSION_H

#include "codegen/emit/Emission.h"

namespace weft {

/// For every x86-64 that programs run on.
struct HostEmission : emit::Emission {
  HostEmission(llvm::Module &module, const kernel::DimTable &dims)
      : Emission(module, /*lanes=*/1, dims) {}
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type) override {
    auto *made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::BasicBlock::Create(module.getContext(), "entry", made);
    return made;
  }
};

} // namespace weft

#endif // WEFT_CODEGEN_HOST_HOSTEMISSION_H
