// What programs that translate do, and others cannot: libweft_translation.a is linked only where a
// training takes pairs, or a decoding takes a source.
#ifndef WEFT_RUNTIME_PROGRAM_TRANSLATING_H
#define WEFT_RUNTIME_PROGRAM_TRANSLATING_H

#include "runtime/base/Json.h"
#include "runtime/data/DataSource.h"
#include "runtime/generation/Search.h"
#include "runtime/options/Options.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include <optional>

namespace weft::runtime {

/// Whether a decoding takes sentences to translate (--source), and all that it takes follows from
/// them.
bool takesSource(const Facts &facts, const Decoding &decoding);

/// Whether this program has --bleu.
bool scoresTranslations();

/// What is searched, and how.
struct SearchRequest {
  const Decoding *decoding = nullptr;
  std::vector<int32_t> prompt; // what every continuation begins with
  SearchSettings settings;
};

struct Translations {
  std::vector<std::optional<Hypothesis>>
      found;                // in the order of the sentences; none: an empty line
  int64_t unknown = 0;      // words that the source vocabulary lacks
  std::string firstUnknown; // and where the first is
};

/// Translates the sentences of --source and --source-file, split by the vocabulary beside the
/// weights or --source-tokenizer. Errors: a decoding without a source, no vocabulary, a --source
/// that is empty, no sentence at all, one that is too long.
Result<Translations> translateSources(Model &model, const Options &options,
                                      const LoadedWeights &weights, const SearchRequest &request);

/// What came of a comparison, as `eval` prints it.
struct ScoreReport {
  std::string text;
  Json json;
};

/// Translates a split of pairs and scores it (--bleu). Errors: data that is no pairs.
Result<ScoreReport> scoreTranslations(Model &model, const DataSource &data, Split split,
                                      const Options &options);

} // namespace weft::runtime
#endif
