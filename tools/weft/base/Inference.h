// --inference: what a program needs to evaluate and to generate, and nothing that only trains.
#ifndef WEFT_TOOLS_WEFT_BASE_INFERENCE_H
#define WEFT_TOOLS_WEFT_BASE_INFERENCE_H

#include "ir/model/Model.h"
#include "tools/weft/base/Options.h"

#include <optional>

namespace weft {

/// What stands beside --inference and speaks of training, or nothing.
std::optional<std::string> wrongForInference(const Arguments &arguments);

/// Whether the entry `only`, which is asked for, is a training or part of one: what to say then.
std::optional<std::string> leftOutByInference(mlir::ModuleOp module, llvm::StringRef only);

/// Makes an evaluation of each training: its loss with what only training does, its update and the
/// states of its optimizer are gone.
void keepInference(mlir::ModuleOp module);

/// What each loss that can be evaluated reads, a training's or that of what is left of one; null
/// where nothing says what.
llvm::SmallVector<mlir::DictionaryAttr> dataOfLosses(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_INFERENCE_H
