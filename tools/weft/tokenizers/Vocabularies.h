// The dimensions that tokens of a model index.
#ifndef WEFT_TOOLS_WEFT_TOKENIZERS_VOCABULARIES_H
#define WEFT_TOOLS_WEFT_TOKENIZERS_VOCABULARIES_H

#include "ir/model/Model.h"
#include "runtime/model/Facts.h"

#include <optional>

namespace weft {

/// What tokenizers of sentences to translate, and all others, have to fit.
struct Vocabularies {
  std::optional<runtime::Dimension> source, other;
};

/// Those of a model, planned or not. The source is the input that a training on pairs calls so, or
/// of that name. Of the dimensions that others index, that of a decoding, else the largest.
Vocabularies vocabulariesOf(mlir::ModuleOp module);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_TOKENIZERS_VOCABULARIES_H
