// Sizes of a run as LLVM values.
#ifndef WEFT_CODEGEN_EMIT_SIZES_H
#define WEFT_CODEGEN_EMIT_SIZES_H

#include "ir/kernel/Walk.h"

#include "llvm/IR/IRBuilder.h"

namespace weft::emit {

using namespace weft::kernel;

/// Emits sizes where `sizes` points to the ABI's array of them; what is static folds to constants.
struct Sizes {
  const DimTable &dims;

  /// The value of `size` if every dimension in it is static.
  std::optional<int64_t> known(const Size &size) const { return dims.known(size); }
  /// The value of `size` (i64). Every name in it is in the table.
  llvm::Value *size(llvm::IRBuilderBase &builder, const Size &size, llvm::Value *sizes) const;
  /// The size of one dimension.
  llvm::Value *extent(llvm::IRBuilderBase &builder, llvm::StringRef dim, llvm::Value *sizes) const;
  /// The offset in elements of `walk` at `index` (i64); for walks of several groups this divides.
  llvm::Value *offset(llvm::IRBuilderBase &builder, const Walk &walk, llvm::Value *index,
                      llvm::Value *sizes) const;
};

/// The numbers of the sizes that a function reads, whose argument `sizes` points to the ABI's
/// array: those whose places it computes as constants. Nothing where it may read any.
std::optional<llvm::SmallVector<unsigned>> sizesRead(llvm::Argument *sizes);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_SIZES_H
