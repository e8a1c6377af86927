// Learning byte pairs: the most frequent pair is merged, again and again.
#include "runtime/text/tokenizers/Bpe.h"
#include "runtime/text/tokenizers/Pieces.h"

#include <algorithm>
#include <unordered_map>

using namespace weft::runtime;

namespace {
/// A distinct piece of the text, as the ids it is made of so far.
struct Word {
  std::vector<int32_t> ids;
  int64_t count;
};

using PairCounts = std::unordered_map<uint64_t, int64_t>;

class PairMerger {
public:
  explicit PairMerger(std::string_view text);
  /// Merges the most frequent pair; nothing if none occurs twice.
  std::optional<Bpe::Merge> merge();

private:
  struct Candidate {
    int64_t count;
    uint64_t pair;
  };
  bool comesBefore(const Candidate &a, const Candidate &b) const;
  void push(uint64_t pair, int64_t count);
  void countPairs(const Word &word, int64_t sign, PairCounts &into) const;
  std::vector<Word> words;
  std::vector<std::string> tokens;
  PairCounts counts;
  std::unordered_map<uint64_t, std::vector<int32_t>>
      wordsWith;               // perhaps words that no longer have the pair, too
  std::vector<Candidate> heap; // perhaps with counts that have changed since
};
} // namespace

static uint64_t pairKey(int32_t left, int32_t right) {
  return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
}
static int32_t leftOf(uint64_t pair) {
  return static_cast<int32_t>(pair >> 32);
}
static int32_t rightOf(uint64_t pair) {
  return static_cast<int32_t>(pair & 0xffffffff);
}

/// The distinct pieces of the text and how often each occurs; the end-of-text mark belongs to none.
static std::unordered_map<std::string_view, int64_t> countPieces(std::string_view text) {
  std::unordered_map<std::string_view, int64_t> pieces;
  while (!text.empty()) {
    size_t special = std::min(text.find(Bpe::endMark), text.size());
    for (size_t i = 0; i < special;) {
      size_t length = firstPiece(text.substr(i, special - i));
      ++pieces[text.substr(i, length)];
      i += length;
    }
    text.remove_prefix(std::min(special + Bpe::endMark.size(), text.size()));
  }
  return pieces;
}

PairMerger::PairMerger(std::string_view text) {
  for (unsigned char byte : bytesById())
    tokens.emplace_back(1, static_cast<char>(byte));
  for (const auto &[piece, count] : countPieces(text)) {
    Word word{{}, count};
    for (char c : piece)
      word.ids.push_back(idsByByte()[static_cast<unsigned char>(c)]);
    for (size_t i = 0; i + 1 < word.ids.size(); ++i)
      wordsWith[pairKey(word.ids[i], word.ids[i + 1])].push_back(
          static_cast<int32_t>(words.size()));
    countPairs(word, 1, counts);
    words.push_back(std::move(word));
  }
  for (auto [pair, count] : counts)
    push(pair, count);
}

bool PairMerger::comesBefore(const Candidate &a, const Candidate &b) const {
  if (a.count != b.count)
    return a.count > b.count;
  int left = tokens[leftOf(a.pair)].compare(tokens[leftOf(b.pair)]);
  int right = tokens[rightOf(a.pair)].compare(tokens[rightOf(b.pair)]);
  return left != 0 ? left > 0 : right != 0 ? right > 0 : a.pair > b.pair;
}

void PairMerger::push(uint64_t pair, int64_t count) {
  if (count < 2)
    return;
  heap.push_back({count, pair});
  std::push_heap(heap.begin(), heap.end(), [&](auto &a, auto &b) { return comesBefore(b, a); });
}

void PairMerger::countPairs(const Word &word, int64_t sign, PairCounts &into) const {
  for (size_t i = 0; i + 1 < word.ids.size(); ++i)
    into[pairKey(word.ids[i], word.ids[i + 1])] += sign * word.count;
}

/// Joins every `left right` of a word into `merged`, from the left.
static bool join(std::vector<int32_t> &ids, int32_t left, int32_t right, int32_t merged) {
  size_t out = 0;
  for (size_t i = 0; i < ids.size(); ++out) {
    bool found = ids[i] == left && i + 1 < ids.size() && ids[i + 1] == right;
    ids[out] = found ? merged : ids[i];
    i += found ? 2 : 1;
  }
  bool changed = out != ids.size();
  ids.resize(out);
  return changed;
}

std::optional<Bpe::Merge> PairMerger::merge() {
  uint64_t best = 0;
  for (bool found = false; !found;) {
    if (heap.empty())
      return std::nullopt;
    std::pop_heap(heap.begin(), heap.end(), [&](auto &a, auto &b) { return comesBefore(b, a); });
    Candidate candidate = heap.back();
    heap.pop_back();
    best = candidate.pair;
    found = counts[best] == candidate.count;
  }
  auto merged = static_cast<int32_t>(tokens.size());
  tokens.push_back(tokens[leftOf(best)] + tokens[rightOf(best)]);
  PairCounts changes;
  std::vector<int32_t> having = std::move(wordsWith[best]);
  wordsWith.erase(best);
  for (int32_t number : having) {
    Word &word = words[number];
    Word before = word;
    if (!join(word.ids, leftOf(best), rightOf(best), merged))
      continue;
    countPairs(before, -1, changes);
    countPairs(word, 1, changes);
    for (size_t i = 0; i + 1 < word.ids.size(); ++i)
      if (word.ids[i] == merged || word.ids[i + 1] == merged)
        wordsWith[pairKey(word.ids[i], word.ids[i + 1])].push_back(number);
  }
  for (auto [pair, change] : changes)
    if (change != 0) {
      counts[pair] += change;
      push(pair, counts[pair]);
    }
  return Bpe::Merge{leftOf(best), rightOf(best)};
}

Result<TokenizerPtr> weft::runtime::trainBpe(std::string_view text, int64_t size) {
  PairMerger merger(text);
  std::vector<Bpe::Merge> merges;
  while (static_cast<int64_t>(merges.size()) + bpeLeastSize < size) {
    std::optional<Bpe::Merge> merge = merger.merge();
    if (!merge)
      break;
    merges.push_back(*merge);
  }
  return TokenizerPtr(std::make_unique<Bpe>(std::move(merges)));
}
