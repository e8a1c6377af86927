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
  int64_t speculate = 0; // tokens that a step may propose
};

/// What a continuation came to.
struct Continuation {
  int64_t tokens = 0;
  int64_t steps = 0, proposed = 0, kept = 0; // after the prompt; tokens of repeated phrases
  bool ended = false;                        // the model ended the text
  double promptSeconds = 0, stepSeconds = 0;
};

/// How many tokens of those asked for can be made before the context is full. Error: the prompt
/// alone is too long.
Result<int64_t> roomFor(const Facts &facts, const ContinuationRequest &request);

/// Prints the prompt and up to `room` tokens after it to standard output, as they are made, and
/// ends the line. What a step proposes is kept as far as it is what would be chosen there anyway:
/// the tokens are the same whatever is proposed.
Result<Continuation> continuePrompt(Generator &generator, const ContinuationRequest &request,
                                    int64_t room);

} // namespace weft::runtime
#endif
