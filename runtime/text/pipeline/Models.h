// What makes ids of a word: `model` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_MODELS_H
#define WEFT_RUNTIME_TEXT_PIPELINE_MODELS_H

#include "runtime/text/tokenizers/Section.h"

#include <memory>
#include <unordered_map>

namespace weft::runtime {

class WordModel {
public:
  virtual ~WordModel() = default;
  virtual void encode(std::string_view word, std::vector<int32_t> &into) const = 0;
};

/// The tokens of a vocabulary by id; "" where there is none.
using Tokens = std::vector<std::string>;
using TokenIds = std::unordered_map<std::string_view, int32_t>;

struct ModelParts {
  Tokens tokens;
  std::unique_ptr<WordModel> model;
};

/// BPE, WordPiece, Unigram. `byteLevel`: words are bytes, tokens spell them as characters.
Result<ModelParts> modelFrom(const Section &section, bool byteLevel);

/// Of each model; `tokens` must outlive it.
Result<std::unique_ptr<WordModel>> bpeModel(const Section &section, const Tokens &tokens,
                                            bool byteLevel);
Result<std::unique_ptr<WordModel>> wordPieceModel(const Section &section, const Tokens &tokens);
Result<std::unique_ptr<WordModel>> unigramModel(const Section &section);

/// An id of a file: from 0, small enough that a table of all ids fits.
bool isTokenId(const Json &value);
constexpr int64_t mostTokens = 1 << 22;

} // namespace weft::runtime
#endif
