// Which parameters a training changes.
#pragma once

#include "frontend/lower/body/Derived.h"

namespace weft::lower {

/// The parameters that a loss reads, in the order in which it does.
struct LossParameters {
  std::vector<model::ParameterOp> trained;
  llvm::SmallVector<mlir::Attribute> frozen; ///< names of the others
};

/// Nothing after an error: a group of the clause that holds none, or a loss that trains none.
std::optional<LossParameters> parametersOf(mlir::func::FuncOp loss, const MinimizeClause &clause,
                                           const Session &session);

} // namespace weft::lower
