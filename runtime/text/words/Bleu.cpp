// Counting what n words in a row have in common.
#include "runtime/text/words/Bleu.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

using namespace weft::runtime;

using Counts = std::unordered_map<std::string, int64_t>;

/// How often each run of `n` words occurs; a word ends with a byte that none has.
static Counts countsOf(const std::vector<std::string> &words, size_t n) {
  Counts counts;
  for (size_t i = 0; i + n <= words.size(); ++i) {
    std::string run;
    for (size_t j = i; j < i + n; ++j)
      run += words[j] + '\0';
    ++counts[run];
  }
  return counts;
}

static int64_t inCommon(const Counts &a, const Counts &b) {
  int64_t sum = 0;
  for (const auto &[run, count] : a)
    if (auto found = b.find(run); found != b.end())
      sum += std::min(count, found->second);
  return sum;
}

static size_t closestLength(const std::vector<std::vector<std::string>> &references,
                            size_t length) {
  auto farther = [&](size_t a) {
    return std::pair(std::abs(static_cast<int64_t>(a) - static_cast<int64_t>(length)), a);
  };
  size_t closest = references[0].size();
  for (const std::vector<std::string> &reference : references)
    if (farther(reference.size()) < farther(closest))
      closest = reference.size();
  return closest;
}

CorpusBleu weft::runtime::corpusBleu(const std::vector<Translated> &all) {
  CorpusBleu bleu;
  std::array<int64_t, 4> right{}, made{};
  for (const Translated &one : all) {
    std::vector<std::string> words = wordsOf13a(one.hypothesis);
    std::vector<std::vector<std::string>> references;
    for (const std::string &reference : one.references)
      references.push_back(wordsOf13a(reference));
    bleu.hypothesisWords += static_cast<int64_t>(words.size());
    bleu.referenceWords += static_cast<int64_t>(closestLength(references, words.size()));
    for (size_t n = 1; n <= right.size(); ++n) {
      Counts most;
      for (const std::vector<std::string> &reference : references)
        for (const auto &[run, count] : countsOf(reference, n))
          most[run] = std::max(most[run], count);
      right[n - 1] += inCommon(countsOf(words, n), most);
      made[n - 1] += std::max<int64_t>(0, static_cast<int64_t>(words.size() - n) + 1);
    }
  }
  if (bleu.hypothesisWords < bleu.referenceWords)
    bleu.brevity = bleu.hypothesisWords == 0
                       ? 0
                       : std::exp(1 - static_cast<double>(bleu.referenceWords) /
                                          static_cast<double>(bleu.hypothesisWords));
  if (std::all_of(right.begin(), right.end(), [](int64_t count) { return count == 0; }))
    return bleu;
  double smoothing = 1, logs = 0;
  for (size_t n = 0; n < right.size(); ++n) {
    if (made[n] == 0) // no sentence is that long
      return bleu;
    smoothing *= right[n] == 0 ? 2 : 1;
    double share = right[n] == 0 ? 1 / smoothing : static_cast<double>(right[n]);
    bleu.precisions[n] = 100 * share / static_cast<double>(made[n]);
    logs += std::log(bleu.precisions[n]);
  }
  bleu.score = bleu.brevity * std::exp(logs / static_cast<double>(right.size()));
  return bleu;
}

std::string CorpusBleu::text() const {
  double ratio = referenceWords == 0
                     ? 0
                     : static_cast<double>(hypothesisWords) / static_cast<double>(referenceWords);
  return weft::runtime::text("BLEU = %.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = "
                             "%lld ref_len = %lld)",
                             score, precisions[0], precisions[1], precisions[2], precisions[3],
                             brevity, ratio, wide(hypothesisWords), wide(referenceWords));
}

static std::vector<std::string> splitAtSpaces(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    size_t space = text.find(' ');
    words.emplace_back(text.substr(0, space));
    if (space == std::string_view::npos)
      return words;
    text.remove_prefix(space + 1);
  }
}

double weft::runtime::sentenceBleu(std::string_view prediction, std::string_view label, int most) {
  std::vector<std::string> words = splitAtSpaces(prediction), wanted = splitAtSpaces(label);
  double score = std::exp(
      std::min(0.0, 1 - static_cast<double>(wanted.size()) / static_cast<double>(words.size())));
  for (size_t n = 1; n <= std::min(static_cast<size_t>(most), words.size()); ++n) {
    double share = static_cast<double>(inCommon(countsOf(words, n), countsOf(wanted, n))) /
                   static_cast<double>(words.size() - n + 1);
    score *= std::pow(share, std::pow(0.5, static_cast<double>(n)));
  }
  return score;
}
