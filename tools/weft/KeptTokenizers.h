// The tokenizers that go with weights into a folder or a program.
#ifndef WEFT_TOOLS_WEFT_KEPTTOKENIZERS_H
#define WEFT_TOOLS_WEFT_KEPTTOKENIZERS_H

#include "tools/weft/Options.h"

#include "runtime/training/LoadWeights.h"

namespace weft {

/// Tokenizers by the names of their files.
using Tokenizers = std::map<std::string, runtime::TokenizerPtr>;

/// Those of --tokenizer and --source-tokenizer, else those that lie beside `loaded` (nullptr:
/// nothing does), each with no more ids than the inputs have that take it.
runtime::Result<Tokenizers> tokenizersFor(const runtime::Facts &facts, const Arguments &arguments,
                                          const runtime::LoadedWeights *loaded);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_KEPTTOKENIZERS_H
