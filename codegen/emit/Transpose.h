// Square blocks of registers: rows to columns, and the sums of rows.
#ifndef WEFT_CODEGEN_EMIT_TRANSPOSE_H
#define WEFT_CODEGEN_EMIT_TRANSPOSE_H

#include "codegen/emit/Loops.h"

namespace weft::emit {

/// n vectors of n lanes, n a power of two: element j of result i is element i of `rows[j]`.
Values transposed(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> rows);
/// Lane i of the result is the sum of the lanes of `rows[i]`.
llvm::Value *sumsOfRows(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> rows);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_TRANSPOSE_H
