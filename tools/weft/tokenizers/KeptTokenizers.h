// The tokenizers that go with weights into a folder or a program.
#ifndef WEFT_TOOLS_WEFT_TOKENIZERS_KEPTTOKENIZERS_H
#define WEFT_TOOLS_WEFT_TOKENIZERS_KEPTTOKENIZERS_H

#include "tools/weft/base/Options.h"
#include "tools/weft/tokenizers/Vocabularies.h"

#include "runtime/training/checkpoint/LoadWeights.h"

namespace weft {

/// Tokenizers by the names of their files.
using Tokenizers = std::map<std::string, runtime::TokenizerPtr>;

/// Those of --tokenizer and --source-tokenizer, else those that lie beside `loaded` (nullptr:
/// nothing does), each held against the vocabulary that it is for.
runtime::Result<Tokenizers> tokenizersFor(const Vocabularies &vocabularies,
                                          const Arguments &arguments,
                                          const runtime::LoadedWeights *loaded);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_TOKENIZERS_KEPTTOKENIZERS_H
