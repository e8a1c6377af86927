// Ops of the model dialect as C expressions and statements.
#ifndef WEFT_CODEGEN_C_ELEMENTWISE_H
#define WEFT_CODEGEN_C_ELEMENTWISE_H

#include "codegen/c/Names.h"

namespace weft::c {

/// What an element is in a variable: `float` (`double` where `wide`, in tables), `int32_t`, `bool`.
llvm::StringRef variableType(mlir::Type element, bool wide);
/// What an element is in memory: `float`, `int32_t`, `uint8_t`.
llvm::StringRef memoryType(mlir::Type element);

/// The value of `op`, of which kernel::isElementwise holds. `operands` are names or numbers.
std::string elementwise(mlir::Operation *op, llvm::ArrayRef<std::string> operands,
                        const Names &names, bool wide);

/// How a reduction accumulates in a variable `{0}`: format strings of llvm::formatv.
struct Fold {
  llvm::StringRef type, start;
  /// Accumulates `{1}`; of an argmax, `at{0}` becomes the position `{2}`.
  llvm::StringRef step;
};
/// Of sums; those of floats are doubles until they are done.
Fold sumOf(mlir::Type element);
/// Of a reduction of one op.
Fold foldOf(mlir::Operation *op, bool wide);

} // namespace weft::c

#endif // WEFT_CODEGEN_C_ELEMENTWISE_H
