// What happens to text before it is split: `normalizer` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_NORMALIZERS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_NORMALIZERS_H

#include "runtime/text/tokenizers/Section.h"

#include <functional>

namespace weft::runtime {

/// Empty: text stays as it is.
using TextStep = std::function<std::string(const std::string &)>;

/// BertNormalizer, Lowercase, StripAccents, NFC, NFD, Strip, Prepend, Replace, Precompiled,
/// Sequence. Errors: any other.
Result<TextStep> normalizerFrom(const Section &section);

/// `text` with every `from`, which is not empty, replaced.
std::string replaceAll(const std::string &text, const std::string &from, const std::string &to);
/// What `Replace` searches for: {"String": "…"}.
Result<std::string> plainPattern(const Section &section);

/// How many times as long the Replace stages of a section can make a text together: a file of a few
/// lines must not decide that it is some terabytes. More than this is refused.
double growthOf(const Section &section);
constexpr double mostGrowth = 1000;

} // namespace weft::runtime
#endif
