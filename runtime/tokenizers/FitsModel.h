// Whether a model has room for the ids of a tokenizer.
#ifndef WEFT_RUNTIME_TOKENIZERS_FITSMODEL_H
#define WEFT_RUNTIME_TOKENIZERS_FITSMODEL_H

#include "runtime/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// The error wherever a tokenizer meets a model: it has more ids than `vocabulary`, the dimension
/// that they index and that has a size, or other than so many where it fills the model.
Status fitsModel(const Tokenizer &tokenizer, const Dimension &vocabulary);

} // namespace weft::runtime
#endif
