// Vocabularies of words, in programs that have libweft_translation.a.
#include "runtime/text/WordsKind.h"

#include "runtime/Archives.h"

using namespace weft::runtime;

bool weft::runtime::readsWords() {
  return translationArchive();
}

static Error unknown() {
  return Error{Code::Value, "it is a vocabulary of words, which only programs that translate read: "
                            "with `data = pairs(…)`, or a decoding that takes a source"};
}

Result<TokenizerPtr> weft::runtime::wordsFromFile(const std::string &path) {
  if (const TranslationArchive *translation = translationArchive())
    return translation->wordsFromFile(path);
  return Error{Code::Value, path + ": " + unknown().message};
}

Result<TokenizerPtr> weft::runtime::wordsFromJson(const Json &json) {
  const TranslationArchive *translation = translationArchive();
  return translation ? translation->wordsFromJson(json) : unknown();
}
