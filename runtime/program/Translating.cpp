// Translating and its scores, in programs that have libweft_translation.a.
#include "runtime/program/Translating.h"

#include "runtime/Archives.h"

using namespace weft::runtime;

bool weft::runtime::takesSource(const Facts &facts, const Decoding &decoding) {
  const TranslationArchive *translation = translationArchive();
  return translation && translation->takesSource(facts, decoding);
}

bool weft::runtime::scoresTranslations() {
  return translationArchive();
}

Result<Translations> weft::runtime::translateSources(Model &model, const Options &options,
                                                     const LoadedWeights &weights,
                                                     const SearchRequest &request) {
  const TranslationArchive *translation = translationArchive();
  if (!translation)
    return Error{Code::Value, text("%s takes no source: it goes on from a --prompt",
                                   request.decoding->name.c_str())};
  return translation->translateSources(model, options, weights, request);
}

Result<ScoreReport> weft::runtime::scoreTranslations(Model &model, const DataSource &data,
                                                     Split split, const Options &options) {
  const TranslationArchive *translation = translationArchive();
  if (!translation || !data.pairs())
    return Error{Code::Usage, text("--bleu goes with pairs:FILE.tsv, not with %s",
                                   options.string("data").c_str())};
  return translation->scoreTranslations(model, data, split, options);
}
