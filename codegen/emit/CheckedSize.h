// Sizes of a run as LLVM values, with whether they left 64 bits on the way.
#ifndef WEFT_CODEGEN_EMIT_CHECKEDSIZE_H
#define WEFT_CODEGEN_EMIT_CHECKEDSIZE_H

#include "codegen/emit/Sizes.h"

namespace weft::emit {

struct CheckedSize {
  llvm::Value *value;    ///< i64
  llvm::Value *overflow; ///< i1: then `value` means nothing
};

/// `size`, which has no division, where `sizes` points to the ABI's array.
CheckedSize checkedSize(llvm::IRBuilderBase &builder, const Sizes &known, const Size &size,
                        llvm::Value *sizes);

/// A size with divisions: `exact` is whether each is exact, by what is at least 1, and nothing
/// overflowed.
struct CheckedQuotient {
  llvm::Value *value, *exact;
};
CheckedQuotient checkedQuotient(llvm::IRBuilderBase &builder, const Sizes &known, const Size &size,
                                llvm::Value *sizes);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_CHECKEDSIZE_H
