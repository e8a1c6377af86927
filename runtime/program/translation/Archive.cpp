// The table of libweft_translation.a.
#include "runtime/Archives.h"
#include "runtime/data/pairs/OpenPairs.h"
#include "runtime/program/translation/Translation.h"
#include "runtime/text/words/Words.h"

using namespace weft::runtime;

const TranslationArchive weft::runtime::weft_translation = {
    .reader = pairsReader,
    .wordsFromFile = Words::fromFile,
    .wordsFromJson = Words::fromJson,
    .addSource = addSource,
    .takesSource = needsSourceAlone,
    .translateSources = translateGiven,
    .scoreTranslations = scorePairs,
};
