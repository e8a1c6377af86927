// Translating a split of pairs, and comparing with what it says.
#ifndef WEFT_RUNTIME_PROGRAM_TRANSLATIONSCORES_H
#define WEFT_RUNTIME_PROGRAM_TRANSLATIONSCORES_H

#include "runtime/data/PairSource.h"
#include "runtime/json/Json.h"
#include "runtime/program/Options.h"
#include "runtime/scores/Bleu.h"

namespace weft::runtime {

/// Every source of a split is translated once; all targets that the split has for it are its
/// references. Texts are cleaned as for training, whole, with no word replaced.
struct TranslationScores {
  CorpusBleu bleu;
  double meanSentenceBleu = 0;      // k = 2, the best of the references
  int64_t sentences = 0, exact = 0; // sources; translations that are a reference
  double seconds = 0;               // of translating
  std::string text() const;
  Json json() const;
};

/// Reads --beam, --length-penalty, --entry, --batch and --translations of the options.
Result<TranslationScores> scoreTranslations(Model &model, const PairSource &pairs, Split split,
                                            const Options &options);

} // namespace weft::runtime
#endif
