// Whole texts, by tokens.
#include "runtime/text/tokenizers/Tokenizer.h"

#include "runtime/base/Text.h"

using namespace weft::runtime;

std::string Tokenizer::spelling(int32_t id) const {
  std::string plain = decode(id);
  return plain.empty() ? text("<%d>", id) : plain;
}

std::string weft::runtime::decodeText(const Tokenizer &tokenizer, std::span<const int32_t> ids) {
  TextDecoder decoder(tokenizer);
  std::string text;
  for (int32_t id : ids)
    text += decoder.push(id);
  return text;
}

Result<std::vector<int32_t>> weft::runtime::encodeFromStart(const Tokenizer &tokenizer,
                                                            std::string_view text) {
  Result<std::vector<int32_t>> ids = tokenizer.encode(text);
  std::optional<int32_t> start = tokenizer.startOfText();
  if (ids && start && (ids->empty() || ids->front() != *start))
    ids->insert(ids->begin(), *start);
  return ids;
}

Result<std::vector<int32_t>> weft::runtime::encodeWhole(const Tokenizer &tokenizer,
                                                        std::string_view text) {
  Result<std::vector<int32_t>> ids = encodeFromStart(tokenizer, text);
  std::optional<int32_t> end = tokenizer.endOfText();
  // of a text without words, the beginning alone is not the end
  if (ids && tokenizer.frames() && end &&
      (ids->empty() || ids->back() != *end || (ids->size() == 1 && tokenizer.startOfText() == end)))
    ids->push_back(*end);
  return ids;
}
