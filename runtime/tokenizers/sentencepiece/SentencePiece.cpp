// The tokenizer of SentencePiece models: text to pieces, bytes where no piece spells a character.
#include "runtime/tokenizers/Marks.h"
#include "runtime/tokenizers/sentencepiece/Json.h"
#include "runtime/tokenizers/sentencepiece/Segmentation.h"

#include <cmath>

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

namespace {
class SentencePiece final : public Tokenizer {
public:
  SentencePiece(std::unique_ptr<Vocabulary> vocabulary, CharacterMap map);
  const char *kind() const override { return "sentencepiece"; }
  int64_t size() const override { return static_cast<int64_t>(vocabulary->pieces.size()); }
  Result<std::vector<int32_t>> encode(std::string_view text, Marks marks) const override;
  std::string decode(int32_t id, Place place) const override;
  Place after(int32_t id, Place place) const override;
  std::optional<int32_t> startOfText() const override { return vocabulary->start; }
  std::optional<int32_t> endOfText() const override { return vocabulary->end; }
  Json json() const override { return sentencePieceJson(*vocabulary); }

private:
  using Ids = std::vector<int32_t>;
  void encodeSection(std::string_view text, Ids &ids) const;
  void append(const std::vector<Segment> &segments, Ids &ids) const;
  void appendWords(std::string_view text, Ids &ids) const;
  std::unique_ptr<Vocabulary> vocabulary; // of fixed address: what follows refers to it
  Normalizer normalizer;
  std::unique_ptr<Segmentation> segmentation;
  PrefixTrie marks;
  bool wordsStandAlone = true; // no piece reaches over a space into the next word
  int32_t unknown = 0;
  std::array<int32_t, 256> idsByByte;
};
} // namespace

/// Whether a space follows something else in a piece, so that it spans words.
static bool spansWords(const std::string &piece, const std::string &space) {
  size_t begin = 0;
  while (piece.compare(begin, space.size(), space) == 0)
    begin += space.size();
  return piece.find(space, begin) != std::string::npos;
}

SentencePiece::SentencePiece(std::unique_ptr<Vocabulary> vocabulary_, CharacterMap map)
    : vocabulary(std::move(vocabulary_)), normalizer(*vocabulary, std::move(map)) {
  if (vocabulary->algorithm == Vocabulary::Algorithm::Unigram)
    segmentation = std::make_unique<UnigramSegmentation>(*vocabulary);
  else
    segmentation = std::make_unique<MergeSegmentation>(*vocabulary, normalizer);
  idsByByte.fill(Segment::unknown);
  std::vector<PrefixTrie::Entry> entries;
  for (int32_t id = 0; id < static_cast<int32_t>(vocabulary->pieces.size()); ++id) {
    const Piece &piece = vocabulary->pieces[id];
    wordsStandAlone = wordsStandAlone && !spansWords(piece.text, vocabulary->space);
    if (piece.kind == PieceKind::Unknown)
      unknown = id;
    if (piece.kind == PieceKind::Control)
      entries.push_back({piece.text, id});
    if (piece.kind == PieceKind::Byte)
      idsByByte[*byteOfPiece(piece.text)] = id;
  }
  marks = PrefixTrie(std::move(entries));
}

void SentencePiece::append(const std::vector<Segment> &segments, Ids &ids) const {
  bool behindUnknown = false;
  for (const Segment &segment : segments) {
    bool isUnknown = segment.id == Segment::unknown;
    if (!isUnknown)
      ids.push_back(segment.id);
    else if (vocabulary->byteFallback)
      for (char c : segment.text)
        ids.push_back(idsByByte[static_cast<unsigned char>(c)]);
    else if (!behindUnknown) // several in a row are one
      ids.push_back(unknown);
    behindUnknown = isUnknown;
  }
}

/// Where the first word ends that is at least `least` long, with the spaces in front of it.
static size_t endOfWord(std::string_view text, std::string_view space, size_t least) {
  size_t end = 0;
  while (end < text.size()) {
    while (text.substr(end).starts_with(space))
      end += space.size();
    end = std::min(text.find(space, end), text.size());
    if (end >= least)
      break;
  }
  return end;
}

/// Word by word, each once: the merges of a word do not depend on its neighbours.
void SentencePiece::appendWords(std::string_view text, Ids &ids) const {
  std::unordered_map<std::string_view, Ids> seen;
  std::vector<Segment> segments;
  bool bytes = vocabulary->byteFallback;
  while (!text.empty()) {
    std::string_view word = text.substr(0, endOfWord(text, vocabulary->space, 1));
    text.remove_prefix(word.size());
    auto [entry, isNew] = seen.try_emplace(word);
    if (isNew) {
      segments.clear();
      segmentation->segment(word, segments);
      append(segments, entry->second);
    }
    const Ids &of = entry->second;
    bool joins = !bytes && !ids.empty() && ids.back() == unknown && of.front() == unknown;
    ids.insert(ids.end(), of.begin() + (joins ? 1 : 0), of.end());
  }
}

void SentencePiece::encodeSection(std::string_view text, Ids &ids) const {
  std::string normalized = normalizer.normalize(text);
  if (wordsStandAlone && vocabulary->algorithm == Vocabulary::Algorithm::Bpe)
    return appendWords(normalized, ids);
  // The score of a path is a float: over a long text it would no longer tell pieces apart.
  constexpr size_t longest = 16384;
  std::vector<Segment> segments;
  for (std::string_view rest = normalized; !rest.empty();) {
    size_t length = wordsStandAlone ? endOfWord(rest, vocabulary->space, longest) : rest.size();
    segmentation->segment(rest.substr(0, length), segments);
    rest.remove_prefix(length);
  }
  append(segments, ids);
}

Result<std::vector<int32_t>> SentencePiece::encode(std::string_view text, Marks which) const {
  Ids ids;
  if (which == Marks::Plain) {
    encodeSection(text, ids);
    return ids;
  }
  for (MarkedText rest(marks, text); rest.next();) {
    encodeSection(rest.before(), ids);
    if (rest.mark() != PrefixTrie::none)
      ids.push_back(rest.mark());
  }
  return ids;
}

std::string SentencePiece::decode(int32_t id, Place place) const {
  if (id < 0 || id >= size())
    return "";
  const Piece &piece = vocabulary->pieces[id];
  if (piece.kind == PieceKind::Control)
    return "";
  if (piece.kind == PieceKind::Unknown)
    return vocabulary->unknown;
  if (piece.kind == PieceKind::Byte)
    return {static_cast<char>(*byteOfPiece(piece.text))};
  std::string_view rest = piece.text;
  const std::string &space = vocabulary->space;
  if (place == Place::First && (vocabulary->spaceInFront || vocabulary->removeExtraSpaces))
    while (rest.starts_with(space)) {
      rest.remove_prefix(space.size());
      if (!vocabulary->removeExtraSpaces)
        break;
    }
  std::string out;
  while (!rest.empty()) {
    size_t next = std::min(rest.find(space), rest.size());
    out += rest.substr(0, next);
    rest.remove_prefix(next);
    if (rest.empty())
      break;
    out += ' ';
    rest.remove_prefix(space.size());
  }
  return out;
}

Place SentencePiece::after(int32_t id, Place place) const {
  bool isMark = id < 0 || id >= size() || vocabulary->pieces[id].kind == PieceKind::Control;
  if (id == vocabulary->start)
    return Place::First;
  bool nothingYet = place == Place::First &&
                    (isMark || (vocabulary->removeExtraSpaces && decode(id, place).empty()));
  return nothingYet ? Place::First : Place::Later;
}

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

Result<TokenizerPtr> weft::runtime::sentencePieceTokenizer(Vocabulary given) {
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
  Result<CharacterMap> map = CharacterMap::read(given.characterMap);
  if (!map)
    return map.error();
  return TokenizerPtr(std::make_unique<SentencePiece>(
      std::make_unique<Vocabulary>(std::move(given)), std::move(*map)));
}
