// What a program carries behind its code: weights and a tokenizer.
#ifndef WEFT_TOOLS_WEFT_CARGO_H
#define WEFT_TOOLS_WEFT_CARGO_H

#include "tools/weft/Weights.h"

namespace weft {

/// Read before the program is emitted, since its facts tell of it; stowed when it is linked.
class Cargo {
public:
  explicit Cargo(mlir::ModuleOp module) : module(module), weights(module, 0) {}

  /// Reads a checkpoint and its tokenizer (or the one of `tokenizer`, if that is not empty), and
  /// notes them on the module. Prints what is wrong.
  bool load(const std::string &checkpoint, const std::string &tokenizer);
  /// Appends all of it to the program `linked`, which then becomes `output`. Prints what is wrong.
  bool stow(const std::string &linked, const std::string &output);

private:
  mlir::ModuleOp module;
  Weights weights;
  std::string text; ///< of the tokenizer
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_CARGO_H
