// From a checked program to a module of the model dialect: calls inlined, dimensions resolved,
// parameters named.
#pragma once

#include "frontend/lower/session/BuildOptions.h"
#include "frontend/semantics/Program.h"
#include "frontend/source/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace weft {

/// Builds the entries of `program`. Needs the model and func dialects in `context`. Gives nothing
/// if there were errors: the checker's, settings that do not fit (E0600 to E0607), or what only
/// shows once sizes and options are known (E0604 to E0610).
///
/// The module: one `model.dim` per dimension that is used, one `model.parameter` per parameter and
/// state, one function per entry. `minimize` adds `X.loss` and `X.update` and a
/// `model.training`, `decode` a `model.decoding`; see docs/architecture.md.
mlir::OwningOpRef<mlir::ModuleOp> buildModel(const CheckedProgram &program,
                                             const BuildOptions &options,
                                             const SourceManager &sources,
                                             mlir::MLIRContext &context, Diagnostics &diagnostics);

} // namespace weft
