// A worker's scratch, cut into areas whose sizes depend on the call.
#ifndef WEFT_CODEGEN_CPU_BASE_SCRATCHAREAS_H
#define WEFT_CODEGEN_CPU_BASE_SCRATCHAREAS_H

#include "llvm/IR/IRBuilder.h"

namespace weft::cpu {

/// Hands out areas one after the other, each aligned to 64 bytes. The same calls with a null base
/// count the bytes.
class ScratchAreas {
public:
  ScratchAreas(llvm::IRBuilderBase &builder, llvm::Value *base)
      : builder(builder), base(base), used(builder.getInt64(0)) {}

  llvm::Value *floats(llvm::Value *count);
  llvm::Value *bytes(llvm::Value *count);
  llvm::Value *total() const { return used; }

private:
  llvm::IRBuilderBase &builder;
  llvm::Value *base, *used;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_SCRATCHAREAS_H
