// LLVM IR  ==>  objects: one module per instruction set, and one that holds `weft_program`.
#ifndef WEFT_CODEGEN_HOST_EMIT_H
#define WEFT_CODEGEN_HOST_EMIT_H

#include "codegen/cpu/base/Emission.h"
#include "ir/plan/Plan.h"

#include "llvm/ADT/SmallVector.h"

namespace weft {

enum class CodeForm { object, assembly, ir };
/// `quick` leaves out LLVM's optimizations: the same answers, for who compiles more than it runs.
enum class CodeEffort { full, quick };

/// A module as an object file, as assembly or as optimized LLVM IR.
struct EmittedCode {
  std::string name; // "x86-64-v3", "avx512", "program"
  llvm::SmallVector<char, 0> bytes;
};

/// Emits a planned module for the given instruction sets. Fails with diagnostics on the ops at
/// fault.
mlir::FailureOr<std::vector<EmittedCode>> emitCode(mlir::ModuleOp module,
                                                   llvm::ArrayRef<cpu::Isa> isas, CodeForm form,
                                                   CodeEffort effort = CodeEffort::full);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_EMIT_H
