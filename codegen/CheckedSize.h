// Sizes of a run as LLVM values, with whether they left 64 bits on the way.
#ifndef WEFT_CODEGEN_CHECKEDSIZE_H
#define WEFT_CODEGEN_CHECKEDSIZE_H

#include "codegen/cpu/Emission.h"

namespace weft {

struct CheckedSize {
  llvm::Value *value;    ///< i64
  llvm::Value *overflow; ///< i1: then `value` means nothing
};

/// `size`, which has no division, where `sizes` points to the ABI's array.
CheckedSize checkedSize(llvm::IRBuilderBase &builder, cpu::Emission &emission, const Size &size,
                        llvm::Value *sizes);

/// A size with divisions: `exact` is whether each is exact, by what is at least 1, and nothing
/// overflowed.
struct CheckedQuotient {
  llvm::Value *value, *exact;
};
CheckedQuotient checkedQuotient(llvm::IRBuilderBase &builder, cpu::Emission &emission,
                                const Size &size, llvm::Value *sizes);

} // namespace weft

#endif // WEFT_CODEGEN_CHECKEDSIZE_H
