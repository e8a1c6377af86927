// What makes a SentencePiece vocabulary whole.
#include "runtime/text/sentencepiece/Vocabulary.h"

#include <cmath>
#include <unordered_map>

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

std::optional<unsigned char> weft::runtime::byteOfPiece(std::string_view text) {
  unsigned value = 0;
  if (text.size() != 6 || !text.starts_with("<0x") || text.back() != '>')
    return std::nullopt;
  for (char c : text.substr(3, 2)) {
    bool digit = c >= '0' && c <= '9', letter = c >= 'A' && c <= 'F';
    if (!digit && !letter)
      return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit ? c - '0' : c - 'A' + 10);
  }
  return static_cast<unsigned char>(value);
}

/// What is wrong with the piece of an id, or "".
static std::string faultOf(const Vocabulary &vocabulary, size_t id,
                           std::unordered_map<std::string_view, size_t> &seen) {
  const Piece &piece = vocabulary.pieces[id];
  if (piece.text.empty())
    return "is empty";
  auto [entry, isNew] = seen.emplace(piece.text, id);
  if (!isNew)
    return text("`%s` is piece %zu, too", piece.text.c_str(), entry->second);
  if (!std::isfinite(piece.score))
    return text("`%s` has no finite score", piece.text.c_str());
  if (piece.kind == PieceKind::Byte && !byteOfPiece(piece.text))
    return text("`%s` is no byte: they are spelled <0x00> to <0xFF>", piece.text.c_str());
  return "";
}

Status weft::runtime::checkVocabulary(const Vocabulary &given) {
  std::unordered_map<std::string_view, size_t> seen;
  int unknown = 0, bytes = 0;
  auto count = static_cast<int32_t>(given.pieces.size());
  for (size_t id = 0; id < given.pieces.size(); ++id) {
    if (std::string fault = faultOf(given, id, seen); !fault.empty())
      return Error{Code::Value, text("piece %zu: %s", id, fault.c_str())};
    unknown += given.pieces[id].kind == PieceKind::Unknown;
    bytes += given.pieces[id].kind == PieceKind::Byte;
  }
  if (unknown != 1)
    return Error{Code::Value, text("%d of its %d pieces stand for what is unknown, expected one",
                                   unknown, count)};
  if (given.byteFallback && bytes != 256)
    return Error{Code::Value, text("it spells unknown characters by bytes, but has pieces for %d "
                                   "of the 256",
                                   bytes)};
  for (std::optional<int32_t> mark : {given.start, given.end})
    if (mark && (*mark < 0 || *mark >= count))
      return Error{Code::Value, text("the mark %d is none of its %d pieces", *mark, count)};
  return success();
}
