// `weft build --measure`: what narrower numbers change in the loss on some data.
#ifndef WEFT_TOOLS_WEFT_BUILD_MEASURED_H
#define WEFT_TOOLS_WEFT_BUILD_MEASURED_H

#include "tools/weft/base/Options.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace weft {

/// What is wrong with `--measure` beside the other options, or nothing.
std::optional<std::string> wrongForMeasure(const Arguments &arguments);
/// The same of a program: it has a loss, and differs from float32.
std::optional<std::string> wrongToMeasure(mlir::ModuleOp module);

/// Builds the program of these arguments once more as float32, evaluates it and `program`, which
/// carry the same weights, on the data of `--measure`, and prints loss and perplexity of both and
/// the change. Returns the exit code.
int measure(const Arguments &arguments, const std::string &program);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_MEASURED_H
