// Vocabularies of bytes that are merged, as other files than tokenizer.json have them.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_BYTEPAIRS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_BYTEPAIRS_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

struct BytePairs {
  /// The patterns by which texts are cut into words (PreTokenizers.cpp). `DigitsThenGpt2`: each
  /// digit first.
  enum class Cut { Gpt2, DigitsThenGpt2, Gpt4, Qwen2 };
  struct Token {
    std::string text;   // bytes, spelled as characters; of marks and added ones as they are
    bool isMark, added; // sought in the text before it is cut
  };
  Cut cut = Cut::Gpt2;
  bool wholeWords = false; // a word that is a token is not merged
  std::vector<Token> tokens = {};
  std::vector<std::string> merges = {}; // "left right"
  std::optional<int32_t> start = {},
                         end = {}; // of a text: in front of each; what a model ends with
};

/// Errors: a token that is there twice; those of pipelineFromJson().
Result<TokenizerPtr> pipelineFromBytePairs(const BytePairs &vocabulary);

} // namespace weft::runtime
#endif
