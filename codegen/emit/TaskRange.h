// The part of a kernel's axes that a task, or a tile of it, works on.
#ifndef WEFT_CODEGEN_EMIT_TASKRANGE_H
#define WEFT_CODEGEN_EMIT_TASKRANGE_H

#include "llvm/IR/Value.h"

namespace weft::emit {

/// All i64.
struct TaskRange {
  llvm::Value *batch;                 // an index
  llvm::Value *firstRow, *rows;       // first and count
  llvm::Value *firstColumn, *columns; // first and count
};

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_TASKRANGE_H
