// Sizes in the facts of a program.
#ifndef WEFT_CODEGEN_HOST_SIZEFACTS_H
#define WEFT_CODEGEN_HOST_SIZEFACTS_H

#include "ir/kernel/DimTable.h"

#include "llvm/Support/JSON.h"

namespace weft {

/// The number of a dimension; null of none that the program has.
llvm::json::Value numberOf(llvm::StringRef dim, const kernel::DimTable &dims);

/// `[[2, 0, 3], [1]]`: twice the product of dimensions 0 and 3, and one; of a quotient, two of them
/// as `above` and `below` (docs/abi.md).
llvm::json::Value formulaOf(const Size &size, const kernel::DimTable &dims);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_SIZEFACTS_H
