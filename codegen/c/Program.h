// A planned module as one file of C, and that as an object.
#ifndef WEFT_CODEGEN_C_PROGRAM_H
#define WEFT_CODEGEN_C_PROGRAM_H

#include "codegen/Target.h"
#include "ir/plan/Plan.h"

namespace weft::c {

/// C11 that holds all of the program: kernels, entries, and `weft_program` (runtime/Abi.h). Fails
/// with diagnostics on the ops at fault.
mlir::FailureOr<std::string> emitProgram(mlir::ModuleOp plan, const ProgramSymbols &symbols);

/// Compiles with `cc`, or what the environment's CC says, whose words are separated by blanks. The
/// object is position-independent. Gives what went wrong, or nothing.
std::optional<std::string> compile(llvm::StringRef text, bool optimize,
                                   llvm::SmallVectorImpl<char> &object);

} // namespace weft::c

#endif // WEFT_CODEGEN_C_PROGRAM_H
