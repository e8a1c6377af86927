// Parameters of a module in memory, as the runtime keeps them: initial values, files.
#ifndef WEFT_TOOLS_WEFT_BASE_WEIGHTS_H
#define WEFT_TOOLS_WEFT_BASE_WEIGHTS_H

#include "ir/model/Model.h"
#include "runtime/model/Parameters.h"
#include "runtime/training/checkpoint/MadeWith.h"
#include "tools/weft/base/Options.h"

#include <memory>

namespace weft {

/// The facts of a module and storage for its parameters, which are zeros, and take no memory before
/// they are written.
struct Weights {
  explicit Weights(mlir::ModuleOp module);
  /// Initial values by seed.
  void initialize(uint64_t seed, const runtime::Kinds &kinds = runtime::isAny);
  /// Reads a checkpoint, or a file of weights, for `entry`; prints what is wrong with it.
  /// `mapping`: as of runtime::Parameters::Source.
  bool load(const std::string &path, const std::string &entry = runtime::anyUse,
            runtime::Parameters::Mapping mapping = nullptr);

  std::unique_ptr<runtime::Facts> facts;
  std::optional<runtime::Parameters> parameters;
};

/// The whole number behind an option, 0 without it; prints what is wrong.
std::optional<uint64_t> wholeNumber(const Arguments &arguments, const std::string &option);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_WEIGHTS_H
