// The vocabulary of a model, and which model it is.
#include "runtime/text/pipeline/Models.h"

#include "runtime/base/WholeNumber.h"

using namespace weft::runtime;

bool weft::runtime::isTokenId(const Json &value) {
  return wholeNumber(value, 0, mostTokens - 1).has_value();
}

/// {"token": id, …}
static Result<Tokens> tokensFrom(const Section &section) {
  const Json *vocabulary = section.member("vocab");
  if (!vocabulary || !vocabulary->is_object() || vocabulary->empty())
    return section.error("`vocab` is missing");
  Tokens tokens;
  for (const auto &[token, id] : vocabulary->items()) {
    if (!isTokenId(id))
      return section.error(
          text("vocab: `%s` has no id from 0 to %lld", token.c_str(), wide(mostTokens - 1)));
    auto place = id.get<size_t>();
    tokens.resize(std::max(tokens.size(), place + 1));
    if (!tokens[place].empty())
      return section.error(text("vocab: `%s` and `%s` both have id %zu", tokens[place].c_str(),
                                token.c_str(), place));
    tokens[place] = token;
  }
  return tokens;
}

/// [["token", score], …]
static Result<Tokens> scoredTokensFrom(const Section &section) {
  const Json *vocabulary = section.member("vocab");
  if (!vocabulary || !vocabulary->is_array() || vocabulary->empty())
    return section.error("`vocab` is missing");
  Tokens tokens;
  for (const Json &entry : *vocabulary) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
      return section.error(text("vocab[%zu] is not [token, score]", tokens.size()));
    tokens.push_back(entry[0].get<std::string>());
  }
  return tokens;
}

Result<ModelParts> weft::runtime::modelFrom(const Section &section, bool byteLevel) {
  std::string type = section.type();
  if (type.empty()) // older files do not say
    type = section.member("merges") ? "BPE"
           : section.member("max_input_chars_per_word")
               ? "WordPiece"
               : (section.member("unk_id") ? "Unigram" : "");
  bool scored = type == "Unigram";
  if (type != "BPE" && type != "WordPiece" && !scored)
    return section.unknownType();
  Result<Tokens> tokens = scored ? scoredTokensFrom(section) : tokensFrom(section);
  if (!tokens)
    return tokens.error();
  if (byteLevel && type != "BPE")
    return section.error("only BPE works on bytes");
  ModelParts parts{std::move(*tokens), nullptr};
  Result<std::unique_ptr<WordModel>> model = type == "BPE"
                                                 ? bpeModel(section, parts.tokens, byteLevel)
                                             : scored ? unigramModel(section)
                                                      : wordPieceModel(section, parts.tokens);
  if (!model)
    return model.error();
  parts.model = std::move(*model);
  return parts;
}
