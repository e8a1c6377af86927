// Whether a model has room for the ids of a tokenizer.
#ifndef WEFT_RUNTIME_TEXT_FITSMODEL_H
#define WEFT_RUNTIME_TEXT_FITSMODEL_H

#include "runtime/model/Facts.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// What is put into words with a tokenizer: sentences to translate, or all else.
enum class Side { Source, Other };

/// The error wherever a tokenizer meets a model: it has more ids than `vocabulary`, the dimension
/// that they index and that has a size, or other than so many where it fills the model; or of the
/// two of a translation it is the other one. `origin`: where it comes from, for the message.
Status fitsModel(const Tokenizer &tokenizer, const Dimension &vocabulary, const std::string &origin,
                 Side side = Side::Other);

} // namespace weft::runtime
#endif
