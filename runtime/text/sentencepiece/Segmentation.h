// Splitting normalized text into pieces.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_SEGMENTATION_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_SEGMENTATION_H

#include "runtime/text/sentencepiece/Normalizer.h"

#include <memory>
#include <unordered_map>

namespace weft::runtime {

/// A stretch of the text and its piece; `unknown` for a character that no piece spells.
struct Segment {
  static constexpr int32_t unknown = -1;
  int32_t id;
  std::string_view text;
};

class Segmentation {
public:
  virtual ~Segmentation() = default;
  virtual void segment(std::string_view text, std::vector<Segment> &into) const = 0;
};

/// The most probable segmentation under a model of independent pieces (Kudo 2018): Viterbi over all
/// places where a piece may end. Sums of scores are floats in SentencePiece and doubles in Hugging
/// Face's library, which decides where paths are equal but for rounding.
class UnigramSegmentation final : public Segmentation {
public:
  enum class Sums { Float, Double };
  UnigramSegmentation(const SentencePieceVocabulary &vocabulary, Sums sums);
  void segment(std::string_view text, std::vector<Segment> &into) const override;

private:
  template <class Score> void search(std::string_view text, std::vector<Segment> &into) const;
  Sums sums;
  PrefixTrie trie;
  std::vector<double> scores; // by id
  double unknownScore = 0;
};

/// Characters, merged pair by pair: always the pair whose piece has the highest score, the leftmost
/// of equals. `vocabulary` must outlive it.
class MergeSegmentation final : public Segmentation {
public:
  MergeSegmentation(const SentencePieceVocabulary &vocabulary, const Normalizer &normalizer);
  void segment(std::string_view text, std::vector<Segment> &into) const override;

private:
  int32_t idOf(std::string_view text) const;
  const SentencePieceVocabulary &vocabulary;
  const Normalizer &normalizer;
  std::unordered_map<std::string_view, int32_t> ids;
};

} // namespace weft::runtime
#endif
