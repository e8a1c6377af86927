// Splitting text into the words that a model sees one at a time: `pre_tokenizer` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_PRETOKENIZERS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_PRETOKENIZERS_H

#include "runtime/text/tokenizers/Section.h"

#include <functional>
#include <memory>

namespace weft::runtime {

/// A stretch of text, and whether it is at the very beginning.
struct Stretch {
  std::string_view text;
  bool first;
};
/// Takes the words in order; each lives until the call returns.
using TakeStretch = std::function<void(Stretch)>;

class PreTokenizer {
public:
  virtual ~PreTokenizer() = default;
  virtual void split(Stretch stretch, const TakeStretch &take) const = 0;
};

struct PreTokenization {
  std::unique_ptr<PreTokenizer> splitter; // nullptr: all of the text is one word
  bool byteLevel = false;                 // the model sees bytes, each spelled by a character
};

/// As tokenizer.json spells them: firstPieceOfGpt4(), firstPieceOfQwen2().
inline constexpr const char *gpt4Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr const char *qwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// BertPreTokenizer, ByteLevel (last), Digits, Metaspace, Punctuation, Sequence, Split at the
/// pattern of GPT-2, GPT-4 (Llama 3) or Qwen 2, WhitespaceSplit. Errors: any other.
Result<PreTokenization> preTokenizationFrom(const Section &section);

/// How Metaspace puts its mark before a text: "always", "first" or "never".
std::string prependScheme(const Section &metaspace);

} // namespace weft::runtime
#endif
