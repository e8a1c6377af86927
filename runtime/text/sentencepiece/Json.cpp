// Every piece is [text, score, kind]; the character map is written in base64.
#include "runtime/text/sentencepiece/Json.h"

#include "runtime/base/Base64.h"
#include "runtime/base/WholeNumber.h"
#include "runtime/text/tokenizers/Section.h"

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

namespace {
struct Flag {
  const char *name;
  bool Vocabulary::*value;
};
constexpr Flag flags[] = {{"space_in_front", &Vocabulary::spaceInFront},
                          {"space_behind", &Vocabulary::spaceBehind},
                          {"remove_extra_spaces", &Vocabulary::removeExtraSpaces},
                          {"byte_fallback", &Vocabulary::byteFallback},
                          {"keep_invalid_bytes", &Vocabulary::keepInvalidBytes},
                          {"cuts_user_defined", &Vocabulary::cutsUserDefined}};
} // namespace

Json weft::runtime::sentencePieceJson(const Vocabulary &vocabulary) {
  Json json = parseJson(R"({"weft_tokenizer": 1, "kind": "sentencepiece"})");
  Json &pieces = json["pieces"] = Json::array();
  for (const Piece &piece : vocabulary.pieces) {
    Json entry = Json::array();
    entry.push_back(piece.text);
    entry.push_back(piece.score);
    entry.push_back(static_cast<int>(piece.kind));
    pieces.push_back(std::move(entry));
  }
  bool unigram = vocabulary.algorithm == Vocabulary::Algorithm::Unigram;
  for (const auto &[name, value] :
       {std::pair("algorithm", std::string(unigram ? "unigram" : "bpe")),
        {"space", vocabulary.space},
        {"decoded_space", vocabulary.decodedSpace},
        {"unknown", vocabulary.unknown},
        {"character_map", toBase64(vocabulary.characterMap)}})
    json[name] = value;
  for (const Flag &flag : flags)
    json[flag.name] = vocabulary.*flag.value;
  for (auto [name, mark] : {std::pair("start", vocabulary.start), {"end", vocabulary.end}})
    if (mark)
      json[name] = *mark;
  return json;
}

/// One [text, score, kind].
static std::optional<Piece> pieceFrom(const Json &json) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_string() || !json[1].is_number() ||
      !json[2].is_number_unsigned())
    return std::nullopt;
  auto kind = json[2].get<uint64_t>();
  if (kind < static_cast<uint64_t>(PieceKind::Normal) ||
      kind > static_cast<uint64_t>(PieceKind::Byte))
    return std::nullopt;
  return Piece{json[0].get<std::string>(), json[1].get<double>(), static_cast<PieceKind>(kind)};
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromJson(const Json &json) {
  Section document(&json, "tokenizer");
  std::string algorithm = document.string("algorithm");
  if (algorithm != "unigram" && algorithm != "bpe")
    return Error{Code::Value, "`algorithm` is neither \"unigram\" nor \"bpe\""};
  Vocabulary vocabulary;
  vocabulary.algorithm =
      algorithm == "bpe" ? Vocabulary::Algorithm::Bpe : Vocabulary::Algorithm::Unigram;
  vocabulary.space = document.string("space");
  vocabulary.decodedSpace = document.string("decoded_space", vocabulary.space.c_str());
  vocabulary.unknown = document.string("unknown");
  const Json *pieces = document.member("pieces");
  if (!pieces || !pieces->is_array() || vocabulary.space.empty() || vocabulary.decodedSpace.empty())
    return Error{Code::Value, "`pieces` or `space` is missing"};
  for (const Json &entry : *pieces) {
    std::optional<Piece> piece = pieceFrom(entry);
    if (!piece)
      return Error{Code::Value,
                   text("piece %zu is not [text, score, kind]", vocabulary.pieces.size())};
    vocabulary.pieces.push_back(std::move(*piece));
  }
  std::optional<std::string> bytes = fromBase64(document.string("character_map"));
  if (!bytes)
    return Error{Code::Value, "`character_map` is not base64"};
  vocabulary.characterMap = std::move(*bytes);
  for (const Flag &flag : flags)
    vocabulary.*flag.value = document.flag(flag.name);
  for (auto [name, mark] : {std::pair("start", &vocabulary.start), {"end", &vocabulary.end}})
    if (const Json *given = document.member(name)) {
      auto id = wholeNumber(*given, 0, std::numeric_limits<int32_t>::max());
      if (!id)
        return Error{Code::Value, text("`%s` is not the number of a piece", name)};
      *mark = static_cast<int32_t>(*id);
    }
  return sentencePieceTokenizer(std::move(vocabulary));
}
