// Texts, continued token by token.
#ifndef WEFT_RUNTIME_GENERATION_CONTINUATION_H
#define WEFT_RUNTIME_GENERATION_CONTINUATION_H

#include "runtime/generation/Draft.h"
#include "runtime/generation/Generator.h"
#include "runtime/generation/Sampler.h"
#include "runtime/text/tokenizers/Tokenizer.h"

#include <functional>

namespace weft::runtime {

/// What the texts of one request have in common.
struct ContinuationSettings {
  const Decoding *decoding = nullptr;
  TokenizerPtr tokenizer; // nullptr: all there is are ids
  int64_t maxTokens = 0;  // of each
  SamplingSettings sampling;
  int64_t speculate = 0;                     // tokens that a step may propose
  std::shared_ptr<const DraftLibrary> draft; // who does; nobody: the text's repeated phrases
};

/// A text to go on from.
struct Prompt {
  std::vector<int32_t> ids;
  uint64_t seed = 0;  // of the draws behind it
  std::string origin; // what an error calls it
};

/// What became of it.
struct Continuation {
  std::vector<int32_t> ids;                  // behind the prompt, without the end
  int64_t steps = 0, proposed = 0, kept = 0; // after the prompt; proposed tokens
  bool ended = false;                        // the model ended the text
  bool isFull = false;                       // or there was no room for all that was asked for
};

/// How many tokens of those asked for can be made before the context is full. Error: the prompt
/// alone is too long.
Result<int64_t> roomFor(const Facts &facts, const ContinuationSettings &settings,
                        const Prompt &prompt);

/// A text that is being continued. What a step proposes is kept as far as it is what would be
/// chosen there anyway: the tokens are the same whatever is proposed.
class Continuing {
public:
  /// Makes up to `room` tokens behind `prompt`, and calls `made` for each.
  Continuing(const ContinuationSettings &settings, const Prompt &prompt, int64_t room,
             std::function<void(int32_t)> made);
  /// Takes the logits behind the prompt, of which the generator knows so many positions.
  Status start(std::span<const float> logits, int64_t known);
  bool isDone() const { return result.ended || std::ssize(result.ids) >= room; }
  /// What the generator is to take in next: the last token, and what is proposed to follow.
  Result<std::span<const int32_t>> next();
  /// Takes the logits after each of these, and has the generator forget what is not kept.
  Status take(Generator &generator, std::span<const std::span<const float>> logits);
  const Continuation &continuation() const { return result; }

private:
  /// Adds the token that these logits choose; none where the text ends.
  Result<std::optional<int32_t>> add(std::span<const float> logits, int64_t position);
  const ContinuationSettings &settings;
  SamplingSettings sampling; // with the seed of this text
  int64_t room;
  std::optional<Draft> draft;
  std::vector<int32_t> text, fresh; // with the prompt; what is taken in
  // Where another text begins, this one has ended: some models were trained without an end mark.
  std::optional<int32_t> end, another;
  std::function<void(int32_t)> made;
  Continuation result;
};

} // namespace weft::runtime
#endif
