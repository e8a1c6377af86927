// What a program carries behind its code: weights, and what they need beside them.
#ifndef WEFT_TOOLS_WEFT_BUILD_CARRIEDWEIGHTS_H
#define WEFT_TOOLS_WEFT_BUILD_CARRIEDWEIGHTS_H

#include "tools/weft/base/Options.h"
#include "tools/weft/base/Weights.h"
#include "tools/weft/build/PackedBytes.h"

#include "runtime/model/Carried.h"

namespace weft {

/// Read before the program is emitted, since its facts tell of it; appended to it.
class CarriedWeights {
public:
  explicit CarriedWeights(mlir::ModuleOp module) : module(module), weights(module) {}

  /// Reads a checkpoint with its tokenizers (or those of --tokenizer and --source-tokenizer) and
  /// what its training says of data, and notes them on the module; and, if it `packs`, that weights
  /// are carried as products read them. Prints what is wrong.
  bool load(const std::string &checkpoint, const Arguments &arguments, bool packs);
  /// Makes what is carried packed of the weights as they are now. Prints what is wrong.
  bool pack();
  /// Appends all of it to a program of `size` bytes. Error: the checkpoint was changed since
  /// load().
  runtime::Status append(runtime::NewFile &file, size_t size) const {
    runtime::Status status =
        runtime::appendCarried(file, static_cast<int64_t>(size), *weights.facts,
                               *weights.parameters, packed.all(), others);
    runtime::Status unchanged = weights.parameters->isUnchanged(); // else that is why
    return unchanged ? status : unchanged;
  }

  /// What lies beside the parameters, by file.
  const runtime::CarriedTexts &texts() const { return others; }
  /// Writes the values of those parameters that another program of the same model has.
  void copyTo(runtime::Parameters &parameters) const;
  /// A parameter's floats, to change, and how many.
  std::pair<float *, int64_t> floatsOf(const std::string &parameter);

private:
  mlir::ModuleOp module;
  Weights weights;
  PackedBytes packed;
  runtime::CarriedTexts others;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_CARRIEDWEIGHTS_H
