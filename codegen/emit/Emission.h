// What every kernel builder shares: the module being written, how wide its vectors are, and the
// sizes.
#ifndef WEFT_CODEGEN_EMIT_EMISSION_H
#define WEFT_CODEGEN_EMIT_EMISSION_H

#include "codegen/emit/Sizes.h"
#include "codegen/emit/math/VectorMath.h"

#include "llvm/IR/Module.h"

namespace weft::emit {

/// How machines multiply pairs of bfloat16 and add up both products in f32: not at all, words of
/// vectors (x86 AVX512_BF16), or tiles (AMX).
enum class PairProducts { none, words, tiles };

/// One LLVM module that is being written, for one kind of machine.
struct Emission : Sizes {
  llvm::Module &module;
  unsigned lanes; ///< of float32 in a vector; 1 where there are none
  PairProducts pairProducts = PairProducts::none;
  /// The code that such machines have of their own for a function of f32, or null.
  math::Function::Code (*own)(llvm::StringRef name) = nullptr;

  Emission(llvm::Module &module, unsigned lanes, const DimTable &dims)
      : Sizes{dims}, module(module), lanes(lanes) {}
  virtual ~Emission() = default;
  /// A new internal function for that machine, with an entry block.
  virtual llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type) = 0;
  /// The code of a function of f32: their own, or what serves all machines.
  math::Function::Code codeOf(llvm::StringRef name) const {
    math::Function::Code found = own ? own(name) : nullptr;
    return found ? found : math::function(name).narrow;
  }
  /// <lanes x float>
  llvm::FixedVectorType *vector() const {
    return llvm::FixedVectorType::get(llvm::Type::getFloatTy(module.getContext()), lanes);
  }
};

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_EMISSION_H
