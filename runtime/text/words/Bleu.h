// How much translations have in common with references.
#ifndef WEFT_RUNTIME_TEXT_WORDS_BLEU_H
#define WEFT_RUNTIME_TEXT_WORDS_BLEU_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::runtime {

/// A translation and what it is compared with: any of the references.
struct Translated {
  std::string hypothesis;
  std::vector<std::string> references;
};

/// BLEU over a whole set, up to four words (Papineni et al. 2002), with the numbers of sacreBLEU's
/// defaults (Post 2018): tokenization 13a, case kept, exponential smoothing, the reference of the
/// closest length.
struct CorpusBleu {
  double score = 0; // 0 to 100
  std::array<double, 4> precisions{};
  double brevity = 1;
  int64_t hypothesisWords = 0, referenceWords = 0;
  /// "BLEU = 31.23 61.2/37.9/… (BP = 1.000 ratio = 1.012 hyp_len = 85 ref_len = 84)"
  std::string text() const;
};
CorpusBleu corpusBleu(const std::vector<Translated> &all);

/// Words as mteval-v13a makes them of a text, by spaces and ASCII punctuation.
std::vector<std::string> wordsOf13a(std::string_view text);

/// The score of one sentence against one reference, from words split at single spaces, up to
/// `most` of them together: exp(min(0, 1 - len_label / len_prediction)) times the product of
/// p_n^(1/2^n), n = 1 … min(most, len_prediction). An empty text is one empty word. Source: Zhang
/// et al., "Dive into Deep Learning", 10.7.
double sentenceBleu(std::string_view prediction, std::string_view label, int most);

} // namespace weft::runtime
#endif
