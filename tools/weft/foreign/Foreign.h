// Parameters from and to the checkpoints of other projects, as the plan of a `weights` clause says.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_FOREIGN_H
#define WEFT_TOOLS_WEFT_FOREIGN_FOREIGN_H

#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/Weights.h"
#include "tools/weft/foreign/Computed.h"
#include "tools/weft/foreign/TensorFiles.h"

namespace weft {

/// The plan of the clause that `--clause` names (the only one), for the module of `compilation`;
/// prints what is wrong.
std::optional<ForeignPlan> planOf(Compilation &compilation, const char *command);

/// Tensors of files that are no parameters: those that repeat one, and those that were left out.
struct BesideWeights {
  int64_t copies = 0, ignored = 0;
};

/// Fills `weights` from `files`, whose names start with `prefix`. Every tensor of the plan must be
/// there with its shape and finite numbers, or a copy of it, and every tensor of the files be used
/// or ignored; a state that they lack keeps its first value. Copies must be equal. Sizes that the
/// files say must be the model's, and computed tensors that they have near what their entries give.
/// `begin` is called when all that headers say is right, before any number is read: it makes room
/// for them, or prints why there is none. Prints what is wrong; else gives what else was there.
std::optional<BesideWeights> importWeights(Weights &weights, const ForeignPlan &plan,
                                           mlir::ModuleOp module, const TensorFiles &files,
                                           const std::string &prefix,
                                           llvm::function_ref<bool()> begin);

/// Writes every tensor of the plan as floats of `type`: F32, F16 or BF16. Prints what is wrong: a
/// number that is too large for it.
bool exportWeights(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
                   const std::string &prefix, runtime::ElementType type, const std::string &path);
/// The same into a llama2.c v0 file, which must have all that the plan has and nothing else.
bool exportLlama2c(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
                   const std::string &path);

/// The numbers of a tensor in its own order; nothing, and prints why, where one is no float.
std::optional<std::vector<float>> valuesOf(const Weights &weights, const ForeignTensor &tensor);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_FOREIGN_H
