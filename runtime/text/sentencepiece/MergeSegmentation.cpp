// Merging by scores: a linked list of parts and a queue of pairs.
#include "runtime/text/sentencepiece/Segmentation.h"

#include <queue>

using namespace weft::runtime;

namespace {
/// A part of the text; empty when merged into the one before.
struct Part {
  std::string_view text;
  int64_t previous, next; // -1: none
  bool frozen;            // user-defined pieces stay whole and alone
};
struct Pair {
  double score;
  int64_t left, right;
  size_t size;
  bool operator<(const Pair &other) const {
    return score != other.score ? score < other.score : left > other.left;
  }
};
/// What an unused piece was merged of.
using Halves = std::unordered_map<std::string_view, std::pair<std::string_view, std::string_view>>;
} // namespace

MergeSegmentation::MergeSegmentation(const SentencePieceVocabulary &vocabulary,
                                     const Normalizer &normalizer)
    : vocabulary(vocabulary), normalizer(normalizer) {
  for (const Piece &piece : vocabulary.pieces)
    if (piece.kind == PieceKind::Normal || piece.kind == PieceKind::UserDefined ||
        piece.kind == PieceKind::Unused)
      ids.emplace(piece.text, static_cast<int32_t>(&piece - vocabulary.pieces.data()));
}

int32_t MergeSegmentation::idOf(std::string_view text) const {
  auto found = ids.find(text);
  return found == ids.end() ? Segment::unknown : found->second;
}

void MergeSegmentation::segment(std::string_view text, std::vector<Segment> &into) const {
  std::vector<Part> parts;
  for (int64_t i = 0; !text.empty(); ++i) {
    auto [length, frozen] = normalizer.firstUnit(text);
    parts.push_back({text.substr(0, length), i - 1, i + 1, frozen});
    text.remove_prefix(length);
  }
  if (parts.empty())
    return;
  parts.back().next = -1;
  std::priority_queue<Pair> queue;
  Halves unused;
  auto consider = [&](int64_t left, int64_t right) {
    if (left < 0 || right < 0 || parts[left].frozen || parts[right].frozen)
      return;
    std::string_view whole(parts[left].text.data(),
                           parts[left].text.size() + parts[right].text.size());
    int32_t id = idOf(whole);
    if (id == Segment::unknown)
      return;
    queue.push({vocabulary.pieces[id].score, left, right, whole.size()});
    if (vocabulary.pieces[id].kind == PieceKind::Unused)
      unused[whole] = {parts[left].text, parts[right].text};
  };
  for (int64_t i = 1; i < static_cast<int64_t>(parts.size()); ++i)
    consider(i - 1, i);
  while (!queue.empty()) {
    Pair pair = queue.top();
    queue.pop();
    Part &left = parts[pair.left], &right = parts[pair.right];
    if (left.text.empty() || right.text.empty() ||
        left.text.size() + right.text.size() != pair.size)
      continue; // merged otherwise meanwhile
    left.text = {left.text.data(), pair.size};
    left.next = right.next;
    if (right.next >= 0)
      parts[right.next].previous = pair.left;
    right.text = {};
    consider(left.previous, pair.left);
    consider(pair.left, left.next);
  }
  std::vector<std::string_view> pending; // to come, the next one last
  for (int64_t i = 0; i >= 0; i = parts[i].next)
    for (pending.push_back(parts[i].text); !pending.empty();) {
      std::string_view next = pending.back();
      pending.pop_back();
      int32_t id = idOf(next);
      bool usable = id == Segment::unknown || vocabulary.pieces[id].kind != PieceKind::Unused;
      auto halves = usable ? unused.end() : unused.find(next);
      if (halves == unused.end()) {
        into.push_back({usable ? id : Segment::unknown, next});
        continue;
      }
      pending.push_back(halves->second.second);
      pending.push_back(halves->second.first);
    }
}
