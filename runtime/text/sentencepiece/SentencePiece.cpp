// The tokenizer of SentencePiece models: text to pieces, bytes where no piece spells a character.
#include "runtime/text/sentencepiece/Json.h"
#include "runtime/text/sentencepiece/LongestFirst.h"
#include "runtime/text/sentencepiece/Segmentation.h"
#include "runtime/text/tokenizers/Marks.h"

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
  std::string spelling(int32_t id) const override;
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
  PrefixTrie marks, cut;       // all that are cut out of a text with marks, and of a plain one
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
    segmentation =
        std::make_unique<UnigramSegmentation>(*vocabulary, UnigramSegmentation::Sums::Float);
  else
    segmentation = std::make_unique<MergeSegmentation>(*vocabulary, normalizer);
  idsByByte.fill(Segment::unknown);
  std::vector<PrefixTrie::Entry> control, userDefined;
  for (int32_t id = 0; id < static_cast<int32_t>(vocabulary->pieces.size()); ++id) {
    const Piece &piece = vocabulary->pieces[id];
    wordsStandAlone = wordsStandAlone && !spansWords(piece.text, vocabulary->space);
    if (piece.kind == PieceKind::Unknown)
      unknown = id;
    if (piece.kind == PieceKind::Control)
      control.push_back({piece.text, id});
    if (piece.kind == PieceKind::UserDefined && vocabulary->cutsUserDefined)
      userDefined.push_back({piece.text, id});
    if (piece.kind == PieceKind::Byte)
      idsByByte[*byteOfPiece(piece.text)] = id;
  }
  control.insert(control.end(), userDefined.begin(), userDefined.end());
  marks = PrefixTrie(std::move(control));
  cut = PrefixTrie(std::move(userDefined));
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
  if (vocabulary->cutsUserDefined) {
    size_t done = 0;
    for (const Cut &piece : cutLongestFirst(which == Marks::Plain ? cut : marks, text)) {
      encodeSection(text.substr(done, piece.begin - done), ids);
      ids.push_back(piece.id);
      done = piece.begin + piece.length;
    }
    encodeSection(text.substr(done), ids);
    return ids;
  }
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

std::string SentencePiece::spelling(int32_t id) const {
  bool isMark = id >= 0 && id < size() && vocabulary->pieces[id].kind == PieceKind::Control;
  return isMark ? vocabulary->pieces[id].text : Tokenizer::spelling(id);
}

std::string SentencePiece::decode(int32_t id, Place place) const {
  if (id < 0 || id >= size())
    return "";
  const Piece &piece = vocabulary->pieces[id];
  if (piece.kind == PieceKind::Control)
    return "";
  if (piece.kind == PieceKind::Unknown)
    return vocabulary->unknown;
  bool isByte = piece.kind == PieceKind::Byte;
  char byte = isByte ? static_cast<char>(*byteOfPiece(piece.text)) : 0;
  std::string_view rest = isByte ? std::string_view(&byte, 1) : piece.text;
  bool asSpelled = (isByte || piece.kind == PieceKind::UserDefined) && vocabulary->cutsUserDefined;
  std::string_view space = asSpelled ? std::string_view(" ") : vocabulary->decodedSpace;
  if (place == Place::First && (vocabulary->spaceInFront || vocabulary->removeExtraSpaces) &&
      rest.starts_with(space))
    rest.remove_prefix(space.size());
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

Result<TokenizerPtr> weft::runtime::sentencePieceTokenizer(Vocabulary given) {
  if (Status status = checkVocabulary(given); !status)
    return status.error();
  Result<CharacterMap> map = CharacterMap::read(given.characterMap);
  if (!map)
    return map.error();
  return TokenizerPtr(std::make_unique<SentencePiece>(
      std::make_unique<Vocabulary>(std::move(given)), std::move(*map)));
}
