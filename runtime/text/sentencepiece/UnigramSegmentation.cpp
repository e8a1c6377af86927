// Viterbi, in the arithmetic of the libraries so that ties fall alike.
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/Segmentation.h"

#include <algorithm>
#include <limits>

using namespace weft::runtime;

UnigramSegmentation::UnigramSegmentation(const SentencePieceVocabulary &vocabulary, Sums sums)
    : sums(sums) {
  std::vector<PrefixTrie::Entry> entries;
  double least = std::numeric_limits<float>::max();
  for (const Piece &piece : vocabulary.pieces) {
    if (piece.kind == PieceKind::Normal || piece.kind == PieceKind::UserDefined)
      entries.push_back({piece.text, static_cast<int32_t>(&piece - vocabulary.pieces.data())});
    if (piece.kind == PieceKind::Normal)
      least = std::min(least, piece.score);
  }
  trie = PrefixTrie(std::move(entries));
  constexpr double penalty = 10;
  unknownScore = least - penalty;
  // Scores are logarithms, not above 0: this wins, and one long piece over two that spell the same.
  constexpr double perByte = 0.1;
  for (const Piece &piece : vocabulary.pieces) {
    double bonus = perByte * (static_cast<double>(piece.text.size()) - 1);
    scores.push_back(piece.kind == PieceKind::UserDefined ? bonus : piece.score);
  }
}

/// How many bytes the first character has.
static size_t firstCharacter(std::string_view text) {
  bool ascii = static_cast<unsigned char>(text[0]) < 0x80;
  return ascii ? 1 : static_cast<size_t>(nextCodePoint(text).length);
}

void UnigramSegmentation::segment(std::string_view text, std::vector<Segment> &into) const {
  return sums == Sums::Float ? search<float>(text, into) : search<double>(text, into);
}

template <class Score>
void UnigramSegmentation::search(std::string_view text, std::vector<Segment> &into) const {
  struct End { // the best path to here
    Score score = 0;
    int32_t id = Segment::unknown;
    int64_t start = -1; // of its last piece; -1: none yet
  };
  std::vector<End> ends(text.size() + 1);
  auto offer = [&](size_t start, size_t end, int32_t id, Score score) {
    if (ends[end].start < 0 || score > ends[end].score)
      ends[end] = {score, id, static_cast<int64_t>(start)};
  };
  for (size_t start = 0; start < text.size();) {
    const Score before = ends[start].score;
    const size_t character = firstCharacter(text.substr(start));
    bool spelled = false;
    int32_t node = PrefixTrie::root;
    for (size_t end = start; end < text.size();) {
      node = trie.step(node, static_cast<unsigned char>(text[end++]));
      if (node == PrefixTrie::none)
        break;
      if (int32_t id = trie.valueAt(node); id != PrefixTrie::none) {
        offer(start, end, id, static_cast<Score>(scores[static_cast<size_t>(id)]) + before);
        spelled |= end - start == character;
      }
    }
    if (!spelled)
      offer(start, start + character, Segment::unknown, static_cast<Score>(unknownScore) + before);
    start += character;
  }
  size_t first = into.size();
  for (size_t end = text.size(); end > 0; end = static_cast<size_t>(ends[end].start))
    into.push_back({ends[end].id, text.substr(static_cast<size_t>(ends[end].start),
                                              end - static_cast<size_t>(ends[end].start))});
  std::reverse(into.begin() + static_cast<ptrdiff_t>(first), into.end());
}
