// Vocabularies of words, where the library that reads them is linked.
#include "runtime/tokenizers/WordsKind.h"

using namespace weft::runtime;

[[gnu::weak]]
Result<TokenizerPtr> fromFileLinked(const std::string &path) asm("weft_words_from_file");
[[gnu::weak]]
Result<TokenizerPtr> fromJsonLinked(const Json &json) asm("weft_words_from_json");

bool weft::runtime::readsWords() {
  return fromFileLinked;
}

static Error unknown() {
  return Error{Code::Value, "it is a vocabulary of words, which only programs that translate read: "
                            "with `data = pairs(…)`, or a decoding that takes a source"};
}

Result<TokenizerPtr> weft::runtime::wordsFromFile(const std::string &path) {
  if (!fromFileLinked)
    return Error{Code::Value, path + ": " + unknown().message};
  return fromFileLinked(path);
}

Result<TokenizerPtr> weft::runtime::wordsFromJson(const Json &json) {
  return fromJsonLinked ? fromJsonLinked(json) : unknown();
}
