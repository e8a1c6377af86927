// What code inside a kernel function needs: where to write instructions, and the arguments.
#ifndef WEFT_CODEGEN_CPU_FRAME_H
#define WEFT_CODEGEN_CPU_FRAME_H

#include "codegen/cpu/Walk.h"

namespace weft::cpu {

/// A function of a kernel, while it is written. `buffers` is null in those that only count.
struct Frame {
  llvm::IRBuilderBase &builder;
  Emission &emission;
  llvm::Value *sizes, *buffers;

  /// The address of a buffer: operands first, then results.
  llvm::Value *buffer(unsigned number) const;
  /// The product of the sizes of `dims`, i64.
  llvm::Value *extent(llvm::ArrayRef<mlir::StringAttr> dims) const;
};

/// The dimensions of a kernel as three flattened indices, the last of each running fastest.
struct Axes {
  llvm::SmallVector<mlir::StringAttr> batch, rows, columns;
};

/// The part of the axes that a task works on.
struct TaskRange {
  llvm::Value *batch;                 // an index
  llvm::Value *firstRow, *rows;       // first and count
  llvm::Value *firstColumn, *columns; // first and count
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_FRAME_H
