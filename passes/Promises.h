// What the stages promise, each with a function that checks it.
#ifndef WEFT_PASSES_PROMISES_H
#define WEFT_PASSES_PROMISES_H

#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace weft {

/// Where a promise is not kept, and how: `what` is the message after the op's name.
struct Breach {
  mlir::Operation *op;
  std::string what;
};

/// Something that holds of every module that has passed a stage.
struct Promise {
  llvm::StringRef name;
  llvm::StringRef text; ///< in one sentence
  llvm::StringRef pass; ///< the one that makes it so: a run without it is not held to the promise
  std::optional<Breach> (*breach)(mlir::ModuleOp module);
};

llvm::ArrayRef<Promise> modelPromises();
llvm::ArrayRef<Promise> fusedPromises();
llvm::ArrayRef<Promise> kernelPromises();
llvm::ArrayRef<Promise> planPromises();

/// An operation that computes outside of every kernel, or a kernel inside of another: promised
/// after the stages `fused` and `kernel`.
std::optional<Breach> notInOneKernel(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_PASSES_PROMISES_H
