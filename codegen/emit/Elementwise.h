// One elementwise op of the model dialect as LLVM IR, on scalars or on vectors of lanes.
#ifndef WEFT_CODEGEN_EMIT_ELEMENTWISE_H
#define WEFT_CODEGEN_EMIT_ELEMENTWISE_H

#include "codegen/emit/Emission.h"

namespace weft::emit {

/// What elements are in registers. i64 (whole numbers and indices) is i32 as in memory, i1 is i1,
/// f32 is float. Wide (tables): f32 is double.
struct Numbers {
  bool wide = false;
  /// Of a machine that rounds two floats to bf16 by one instruction: an i32 of both, to nearest
  /// even, subnormal numbers too.
  llvm::Value *(*narrowed)(llvm::IRBuilderBase &builder, llvm::Value *low,
                           llvm::Value *high) = nullptr;

  llvm::Type *type(llvm::LLVMContext &context, mlir::Type element) const;
};

/// Emits ops at the builder's place. Values are scalars, or vectors that all have the same number
/// of lanes; a scalar that meets a vector is splat, so what is uniform stays scalar.
class ElementwiseEmitter {
public:
  /// `sizes` is the ABI's array.
  ElementwiseEmitter(llvm::IRBuilderBase &builder, const Emission &emission, llvm::Value *sizes,
                     Numbers numbers = {});

  /// The value of the result of `op`, for which `isElementwise` holds, given those of its operands.
  /// Indices (`model.index`) come from the caller's loops.
  llvm::Value *emit(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);

  /// `value` in `lanes` lanes; lanes = 1 gives a scalar.
  static llvm::Value *splat(llvm::IRBuilderBase &builder, llvm::Value *value, unsigned lanes);

private:
  llvm::Value *emitFloat(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitWhole(mlir::Operation *op, llvm::ArrayRef<llvm::Value *> operands);
  llvm::Value *emitCompare(model::CompareOp op, llvm::Value *a, llvm::Value *b);

  llvm::IRBuilderBase &builder;
  const Emission &emission;
  llvm::Value *sizes;
  Numbers numbers;
};

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_ELEMENTWISE_H
