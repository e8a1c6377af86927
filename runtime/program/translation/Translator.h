// Sentences into another language, through a decoding that takes a source.
#ifndef WEFT_RUNTIME_PROGRAM_TRANSLATION_TRANSLATOR_H
#define WEFT_RUNTIME_PROGRAM_TRANSLATION_TRANSLATOR_H

#include "runtime/generation/Search.h"
#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// A sentence as ids, and where it comes from, for messages.
struct SourceSentence {
  std::vector<int32_t> ids;
  std::string origin;
};

class Translator {
public:
  /// Finds the inputs for source and valid lengths: those that the model's pairs are bound to, or
  /// of these names. `prompt` is what every translation begins with, at least one id. Errors: a
  /// decoding that takes other inputs, or no source.
  static Result<Translator> create(Model &model, const Decoding &decoding,
                                   std::vector<int32_t> prompt, SearchSettings settings);

  /// Translates so many sentences at a time. Where the model takes no valid lengths, only sentences
  /// of one length go together. Shorter ones are filled up with `padding`, as in training. Errors:
  /// a sentence that is empty or longer than the model allows, or would have to be filled up with
  /// what nothing says.
  Result<std::vector<Hypothesis>> translate(const std::vector<SourceSentence> &sentences,
                                            int64_t batch, std::optional<int32_t> padding);
  /// What the ids of sources index; it has a size.
  const Dimension &sourceVocabulary() const;

private:
  Translator(Model &model, const Decoding &decoding) : model(&model), decoding(&decoding) {}
  Status checkLength(const SourceSentence &sentence) const;
  Result<std::vector<Hypothesis>> translateBatch(std::span<const SourceSentence> sentences);
  Model *model;
  const Decoding *decoding;
  std::optional<Generator> generator; // of the first batch on
  Argument source;
  std::string valid; // "": the model takes none
  std::optional<int32_t> padding;
  std::vector<int32_t> prompt;
  SearchSettings settings;
};

} // namespace weft::runtime
#endif
