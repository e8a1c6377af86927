// The order of SentencePiece's steps, which decides where two of them meet.
#include "runtime/text/sentencepiece/Normalizer.h"

#include "runtime/base/Utf8.h"

using namespace weft::runtime;

/// What stays as it is; nothing, where such pieces are cut out before.
static PrefixTrie userDefinedOf(const SentencePieceVocabulary &vocabulary) {
  std::vector<PrefixTrie::Entry> entries;
  for (const Piece &piece : vocabulary.pieces)
    if (piece.kind == PieceKind::UserDefined && !vocabulary.cutsUserDefined)
      entries.push_back({piece.text, static_cast<int32_t>(&piece - vocabulary.pieces.data())});
  return PrefixTrie(std::move(entries));
}

Normalizer::Normalizer(const SentencePieceVocabulary &vocabulary, CharacterMap map)
    : vocabulary(vocabulary), map(std::move(map)), userDefined(userDefinedOf(vocabulary)) {
  for (unsigned char c = 0; c < plain.size(); ++c)
    plain[c] =
        userDefined.step(PrefixTrie::root, c) == PrefixTrie::none && !this->map.changesAscii(c);
}

Normalizer::Unit Normalizer::firstUnit(std::string_view text) const {
  if (startsPlain(text))
    return {1, false};
  if (size_t length = userDefined.longest(text).length)
    return {length, true};
  return {static_cast<size_t>(nextCodePoint(text).length), false};
}

Normalizer::Prefix Normalizer::normalizePrefix(std::string_view text) const {
  if (startsPlain(text))
    return {text.substr(0, 1), 1};
  if (size_t length = userDefined.longest(text).length)
    return {text.substr(0, length), length};
  if (CharacterMap::Replacement found = map.find(text); found.length > 0)
    return {found.by, found.length};
  CodePoint point = nextCodePoint(text);
  auto length = static_cast<size_t>(point.length);
  if (point.value == CodePoint::invalid && !vocabulary.keepInvalidBytes)
    return {"\ufffd", length};
  return {text.substr(0, length), length};
}

std::string Normalizer::normalize(std::string_view text) const {
  const bool trims = vocabulary.removeExtraSpaces;
  if (trims)
    while (!text.empty()) {
      Prefix prefix = normalizePrefix(text);
      if (prefix.becomes != " ")
        break;
      text.remove_prefix(prefix.length);
    }
  std::string out;
  if (text.empty())
    return out;
  const std::string &space = vocabulary.space;
  out.reserve(text.size() + text.size() / 2);
  if (vocabulary.spaceInFront && !vocabulary.spaceBehind)
    out += space;
  for (bool behindSpace = trims; !text.empty();) {
    auto [becomes, length] = normalizePrefix(text);
    text.remove_prefix(length);
    while (behindSpace && becomes.starts_with(' '))
      becomes.remove_prefix(1);
    for (char c : becomes)
      if (c == ' ')
        out += space;
      else
        out += c;
    behindSpace = trims && (becomes.empty() ? behindSpace : becomes.back() == ' ');
  }
  if (trims)
    while (out.ends_with(space))
      out.resize(out.size() - space.size());
  if (vocabulary.spaceInFront && vocabulary.spaceBehind)
    out += space;
  return out;
}
