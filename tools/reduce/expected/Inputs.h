// Sizes and numbers at random, each by its name: what is left out changes no other.
#ifndef WEFT_TOOLS_REDUCE_EXPECTED_INPUTS_H
#define WEFT_TOOLS_REDUCE_EXPECTED_INPUTS_H

#include "ir/model/Dims.h"
#include "ir/reference/Interpreter.h"
#include "tools/reduce/expected/Numbers.h"
#include "tools/reduce/subject/Subject.h"

namespace weft::reduce {

/// A size for every dimension that comes with the data: what `given` says, else drawn, within
/// bounds as a rule.
SizeMap drawSizes(mlir::ModuleOp module, const SizeMap &given, uint64_t seed);

/// What a run of `function` takes. Dimensions follow from `sizes`; one whose equation does not come
/// out has 1 position, and the run is refused.
std::vector<reference::Array> drawInputs(mlir::func::FuncOp function, const SizeMap &sizes,
                                         uint64_t seed, Drawn drawn = {});
/// Dimensions that `function` needs and no input brings.
llvm::StringMap<int64_t> missingSizes(mlir::func::FuncOp function, const SizeMap &sizes);

/// Every parameter and state, stacked along its loops.
reference::NamedArrays drawParameters(mlir::ModuleOp module, uint64_t seed);

/// A dimension of the function whose size cannot be: below 1, not whole, above its bound. Judged
/// here by its equation alone, whatever the compiler says of it.
std::optional<std::string> impossibleSize(mlir::func::FuncOp function, const SizeMap &sizes);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EXPECTED_INPUTS_H
