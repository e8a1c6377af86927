// The library of translation, where it is linked.
#include "runtime/program/Translating.h"

using namespace weft::runtime;

[[gnu::weak]]
Result<Translations> translateLinked(Model &model, const Options &options,
                                     const LoadedWeights &weights,
                                     const SearchRequest &request) asm("weft_translate_sources");
[[gnu::weak]]
Result<ScoreReport> scoreLinked(Model &model, const DataSource &data, Split split,
                                const Options &options) asm("weft_score_translations");

[[gnu::weak]]
bool takesSourceLinked(const Facts &facts, const Decoding &decoding) asm("weft_takes_source");

std::string weft::runtime::nameInPairs(const Facts &facts, const char *part) {
  for (const Training &training : facts.trainings)
    if (auto found = training.arguments.find(part);
        training.dataKind == "pairs" && found != training.arguments.end())
      return found->second;
  return part;
}

bool weft::runtime::takesSource(const Facts &facts, const Decoding &decoding) {
  return takesSourceLinked && takesSourceLinked(facts, decoding);
}

bool weft::runtime::scoresTranslations() {
  return scoreLinked;
}

Result<Translations> weft::runtime::translateSources(Model &model, const Options &options,
                                                     const LoadedWeights &weights,
                                                     const SearchRequest &request) {
  if (!translateLinked)
    return Error{Code::Value, text("%s takes no source: it goes on from a --prompt",
                                   request.decoding->name.c_str())};
  return translateLinked(model, options, weights, request);
}

Result<ScoreReport> weft::runtime::scoreTranslations(Model &model, const DataSource &data,
                                                     Split split, const Options &options) {
  if (!scoreLinked || !data.pairs())
    return Error{Code::Usage, text("--bleu goes with pairs:FILE.tsv, not with %s",
                                   options.string("data").c_str())};
  return scoreLinked(model, data, split, options);
}
