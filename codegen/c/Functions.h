// The functions of a program as C: kernels and entries.
#ifndef WEFT_CODEGEN_C_FUNCTIONS_H
#define WEFT_CODEGEN_C_FUNCTIONS_H

#include "codegen/c/Names.h"
#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"

namespace weft::c {

/// A kernel: a function of the type WeftKernel (runtime/Abi.h), which does all of its work in one
/// task, and the bytes of scratch that it needs.
struct KernelText {
  std::string name, text;
  Size scratch;
};
/// Of a kernel that keeps the promises of a plan. Fails with a diagnostic on `op` where it is of a
/// family that C has no form of.
mlir::FailureOr<KernelText> emitKernel(kernel::FusedOp op, const std::string &name,
                                       const Names &names);

/// What the entries of a module refer to.
struct EntryContext {
  const Names &names;
  llvm::StringMap<KernelText> kernels;
  llvm::StringMap<unsigned> parameters; ///< numbers in the ABI
};
/// The functions `name`_scratch and `name`_run of an entry. It prepares nothing, for without
/// kernels that pack nothing is kept of the parameters.
std::string emitEntry(plan::EntryOp entry, const std::string &name, const EntryContext &context);

} // namespace weft::c

#endif // WEFT_CODEGEN_C_FUNCTIONS_H
