// What code inside a kernel function needs: where to write instructions, and the arguments.
#ifndef WEFT_CODEGEN_EMIT_FRAME_H
#define WEFT_CODEGEN_EMIT_FRAME_H

#include "codegen/emit/Emission.h"
#include "codegen/emit/TaskRange.h"

namespace weft::emit {

/// A function of a kernel, while it is written. `buffers` is null in those that give a number of
/// tasks or bytes.
struct Frame {
  llvm::IRBuilderBase &builder;
  Emission &emission;
  llvm::Value *sizes, *buffers;

  /// The address of a buffer: operands first, then results.
  llvm::Value *buffer(unsigned number) const;
  /// The product of the sizes of `dims`, i64.
  llvm::Value *extent(llvm::ArrayRef<DimAttr> dims) const;
};

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_FRAME_H
