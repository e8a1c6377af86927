// What schedules of several families are checked for when they are read.
#ifndef WEFT_IR_CUDA_VERIFY_H
#define WEFT_IR_CUDA_VERIFY_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace weft::cuda {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Each of these numbers, by name, is 1 or more.
mlir::LogicalResult positive(EmitError emitError,
                             std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers);
/// Whole warps, and no more than a block may have.
mlir::LogicalResult checkThreads(EmitError emitError, int64_t threads);

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_VERIFY_H
