// The prompts of `OUT generate`.
#ifndef WEFT_RUNTIME_PROGRAM_PROMPTS_H
#define WEFT_RUNTIME_PROGRAM_PROMPTS_H

#include "runtime/generation/Continuation.h"
#include "runtime/options/Options.h"

namespace weft::runtime {

/// A text to go on from, as ids; `tokenizer` is nullptr where it is ids already. An empty one is
/// the start that the model names. Errors, which name `origin`: what cannot be read; an empty text
/// where the model needs one.
Result<std::vector<int32_t>> readPrompt(const std::string &given, const std::string &origin,
                                        const Tokenizer *tokenizer, const Decoding &decoding);

/// Those of --prompt and --prompt-file, in this order, each as often as --samples says, with a seed
/// of its own; one that is empty where there are none.
Result<std::vector<Prompt>> readPrompts(const Options &options,
                                        const ContinuationSettings &settings);

} // namespace weft::runtime
#endif
