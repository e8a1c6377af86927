// The facts of a planned module as JSON: what the runtime reads from `weft_program` (docs/abi.md).
#ifndef WEFT_CODEGEN_HOST_FACTS_H
#define WEFT_CODEGEN_HOST_FACTS_H

#include "ir/plan/Plan.h"

namespace weft {

/// What `model.carried` calls the parameters that a program carries; other files lie beside them.
inline constexpr llvm::StringLiteral carriedParameters = "parameters.safetensors";
/// And that it carries packed weights too, or instead (plan::PackedWeights).
inline constexpr llvm::StringLiteral carriedPacked = "packed";

/// Dimensions, obligations, parameters, entries, trainings and decodings, in the order the ABI
/// numbers them.
std::string factsAsJson(mlir::ModuleOp module);

/// The number of each parameter in there.
llvm::StringMap<unsigned> parameterNumbers(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_FACTS_H
