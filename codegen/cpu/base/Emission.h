// What every kernel builder of the CPU shares: the module being written, the instruction set, and
// the sizes.
#ifndef WEFT_CODEGEN_CPU_BASE_EMISSION_H
#define WEFT_CODEGEN_CPU_BASE_EMISSION_H

#include "codegen/emit/Sizes.h"
#include "ir/cpu/Machine.h"

#include "llvm/IR/Module.h"

namespace weft::cpu {

using namespace weft::kernel;
using namespace weft::emit;

/// The `target-cpu` and `target-features` that LLVM gets for a function of this set.
llvm::StringRef processor(Isa isa);
llvm::StringRef features(Isa isa);

/// One LLVM module that is being written, for one instruction set.
struct Emission : emit::Sizes {
  llvm::Module &module;
  Isa isa;

  Emission(llvm::Module &module, Isa isa, const DimTable &dims)
      : Sizes{dims}, module(module), isa(isa) {}
  /// A new internal function with the set's target attributes and an entry block.
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type);
  /// <lanes x float>
  llvm::FixedVectorType *vector();
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_EMISSION_H
