// What libweft_translation.a does for the commands of a program: see TranslationArchive.
#ifndef WEFT_RUNTIME_PROGRAM_TRANSLATION_TRANSLATION_H
#define WEFT_RUNTIME_PROGRAM_TRANSLATION_TRANSLATION_H

#include "runtime/program/Translating.h"
#include "runtime/program/run/RunPrompt.h"

namespace weft::runtime {

/// takesSource().
bool needsSourceAlone(const Facts &facts, const Decoding &decoding);

/// translateSources().
Result<Translations> translateGiven(Model &model, const Options &options,
                                    const LoadedWeights &weights, const SearchRequest &request);

/// scoreTranslations(), of data that is pairs.
Result<ScoreReport> scorePairs(Model &model, const DataSource &data, Split split,
                               const Options &options);

/// Gives the ids of --source to the entry's input of sources, and how many they are where the entry
/// asks for that; returns the words along its dimension. Errors: as addTexts().
Result<AxisWords> addSource(RunInputs &inputs, const Facts &facts, const Entry &entry,
                            const LoadedWeights &loaded, const Options &options);

} // namespace weft::runtime
#endif
