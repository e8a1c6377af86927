// A prompt, continued token by token, printed as it is made.
#ifndef WEFT_RUNTIME_GENERATION_CONTINUATION_H
#define WEFT_RUNTIME_GENERATION_CONTINUATION_H

#include "runtime/generation/Generator.h"
#include "runtime/generation/Sampler.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

struct ContinuationRequest {
  const Decoding *decoding = nullptr;
  TokenizerPtr tokenizer; // nullptr: ids are printed
  std::vector<int32_t> prompt;
  int64_t maxTokens = 0;
  SamplingSettings sampling;
};

/// What a continuation came to.
struct Continuation {
  int64_t tokens = 0;
  bool ended = false; // the model ended the text
  double promptSeconds = 0, stepSeconds = 0;
};

/// How many tokens of those asked for can be made before the context is full. Error: the prompt
/// alone is too long.
Result<int64_t> roomFor(const Facts &facts, const ContinuationRequest &request);

/// Prints the prompt and up to `room` tokens after it to standard output, as they are made, and
/// ends the line.
Result<Continuation> continuePrompt(Generator &generator, const ContinuationRequest &request,
                                    int64_t room);

} // namespace weft::runtime
#endif
