// What each kind of tokenizer makes of its JSON; errors are without the file's name.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_FROMJSON_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_FROMJSON_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

Result<TokenizerPtr> charactersFromJson(const Json &json);
Result<TokenizerPtr> bpeFromJson(const Json &json);

} // namespace weft::runtime
#endif
