// Loops over dimensions in which values of a rows kernel are evaluated, for kernels that order
// their own loops.
#ifndef WEFT_CODEGEN_CPU_ROWNEST_H
#define WEFT_CODEGEN_CPU_ROWNEST_H

#include "codegen/cpu/RowEvaluator.h"

namespace weft::cpu {

class RowNest {
public:
  using Body = llvm::function_ref<void(const RowFrame &)>;

  RowNest(llvm::IRBuilderBase &builder, Scopes &scopes, RowEvaluator &evaluator)
      : builder(builder), scopes(scopes), evaluator(evaluator) {}

  /// Where the innermost loop stands along `dim`, if its index is `position`.
  const Place *at(llvm::Value *position, mlir::StringAttr dim);
  /// Loops over `dims`, the last one innermost, with their positions added to `frame`.
  void over(llvm::ArrayRef<mlir::StringAttr> dims, const RowFrame &frame, Body body);
  /// The positions along `dims` of the row with number `row`, row-major.
  RowFrame row(llvm::ArrayRef<mlir::StringAttr> dims, llvm::Value *row);
  /// Runs along `dim` in whole vectors of `lanes`, then in what is left under a mask. Once if there
  /// is no `dim`.
  void alongLanes(mlir::StringAttr dim, unsigned lanes, const RowFrame &frame, Body body);

private:
  llvm::IRBuilderBase &builder;
  Scopes &scopes;
  RowEvaluator &evaluator;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ROWNEST_H
