// Every piece is [text, score, kind]; the character map is written in base64.
#include "runtime/tokenizers/sentencepiece/Json.h"

#include "runtime/text/Base64.h"
#include "runtime/text/Utf8.h"

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
                          {"keep_invalid_bytes", &Vocabulary::keepInvalidBytes}};
} // namespace

Json weft::runtime::sentencePieceJson(const Vocabulary &vocabulary) {
  Json pieces = Json::array();
  for (const Piece &piece : vocabulary.pieces)
    pieces.push_back(Json::array({piece.text, piece.score, static_cast<int>(piece.kind)}));
  bool unigram = vocabulary.algorithm == Vocabulary::Algorithm::Unigram;
  Json json{{"weft_tokenizer", 1},
            {"kind", "sentencepiece"},
            {"algorithm", unigram ? "unigram" : "bpe"},
            {"pieces", std::move(pieces)},
            {"space", vocabulary.space},
            {"unknown", vocabulary.unknown},
            {"character_map", toBase64(vocabulary.characterMap)}};
  for (const Flag &flag : flags)
    json[flag.name] = vocabulary.*flag.value;
  if (vocabulary.start)
    json["start"] = *vocabulary.start;
  if (vocabulary.end)
    json["end"] = *vocabulary.end;
  return json;
}

/// One [text, score, kind].
static std::optional<Piece> pieceFrom(const Json &json) {
  if (!json.is_array() || json.size() != 3 || !json[0].is_string() || !json[1].is_number() ||
      !json[2].is_number_unsigned() || json[2] < static_cast<int>(PieceKind::Normal) ||
      json[2] > static_cast<int>(PieceKind::Byte))
    return std::nullopt;
  return Piece{json[0].get<std::string>(), json[1].get<float>(),
               static_cast<PieceKind>(json[2].get<int>())};
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromJson(const Json &json) {
  Vocabulary vocabulary;
  auto member = [&](const char *name) -> const Json & {
    static const Json absent;
    auto found = json.find(name);
    return found == json.end() ? absent : *found;
  };
  const Json &algorithm = member("algorithm"), &pieces = member("pieces"),
             &map = member("character_map"), &space = member("space"), &unknown = member("unknown");
  if (algorithm != "unigram" && algorithm != "bpe")
    return Error{Code::Value, "`algorithm` is neither \"unigram\" nor \"bpe\""};
  if (!pieces.is_array() || !map.is_string() || !space.is_string() || !unknown.is_string() ||
      space.get_ref<const std::string &>().empty())
    return Error{Code::Value, "`pieces`, `space`, `unknown` or `character_map` is missing"};
  vocabulary.algorithm =
      algorithm == "bpe" ? Vocabulary::Algorithm::Bpe : Vocabulary::Algorithm::Unigram;
  vocabulary.space = space.get<std::string>();
  vocabulary.unknown = unknown.get<std::string>();
  for (const Json &entry : pieces) {
    std::optional<Piece> piece = pieceFrom(entry);
    if (!piece)
      return Error{Code::Value,
                   text("piece %zu is not [text, score, kind]", vocabulary.pieces.size())};
    vocabulary.pieces.push_back(std::move(*piece));
  }
  std::optional<std::string> bytes = fromBase64(map.get_ref<const std::string &>());
  if (!bytes)
    return Error{Code::Value, "`character_map` is not base64"};
  vocabulary.characterMap = std::move(*bytes);
  for (const Flag &flag : flags) {
    const Json &value = member(flag.name);
    if (!value.is_boolean())
      return Error{Code::Value, text("`%s` is missing", flag.name)};
    vocabulary.*flag.value = value.get<bool>();
  }
  for (auto [name, mark] : {std::pair("start", &vocabulary.start), {"end", &vocabulary.end}})
    if (auto found = json.find(name); found != json.end()) {
      if (!found->is_number_unsigned() || *found > INT32_MAX)
        return Error{Code::Value, text("`%s` is not an id", name)};
      *mark = found->get<int32_t>();
    }
  return sentencePieceTokenizer(std::move(vocabulary));
}
