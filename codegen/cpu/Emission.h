// What every kernel builder of the CPU shares: the module being written, the instruction set, and
// the sizes.
#ifndef WEFT_CODEGEN_CPU_EMISSION_H
#define WEFT_CODEGEN_CPU_EMISSION_H

#include "ir/model/Size.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::cpu {

/// An instruction set that programs carry kernels for; the numbers are those of runtime/Abi.h.
enum class Isa { x86_64_v3 = 0, avx512 = 1 };

/// Lanes of float32 in a vector register: 8 or 16.
unsigned lanes(Isa isa);
/// The `target-cpu` and `target-features` that LLVM gets for a function of this set.
llvm::StringRef processor(Isa isa);
llvm::StringRef features(Isa isa);

/// The dimensions of the program: their number in the `sizes` array of the ABI, and their size if
/// it is static.
struct DimTable {
  struct Entry {
    unsigned number = 0;
    std::optional<int64_t> size;
  };
  llvm::StringMap<Entry> dims;
};

/// One LLVM module in the making, for one instruction set.
struct Emission {
  llvm::Module &module;
  Isa isa;
  const DimTable &dims;

  /// A new internal function with the set's target attributes and an entry block.
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type);
  /// `size` if every dimension in it is static.
  std::optional<int64_t> known(const Size &size) const;
  /// The value of `size` (i64) where `sizes` points to the ABI's array; static dimensions fold to
  /// constants. Every name in `size` is in the table.
  llvm::Value *size(llvm::IRBuilderBase &builder, const Size &size, llvm::Value *sizes);
  /// The size of one dimension.
  llvm::Value *extent(llvm::IRBuilderBase &builder, llvm::StringRef dim, llvm::Value *sizes);
  /// <lanes x float>
  llvm::FixedVectorType *vector();
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_EMISSION_H
