// `OUT generate --source`: sentences, translated.
#include "runtime/base/files/TextLines.h"
#include "runtime/program/GenerateSearch.h"
#include "runtime/program/SavedTokenizer.h"
#include "runtime/program/translation/Translation.h"
#include "runtime/program/translation/Translator.h"
#include "runtime/text/words/Words.h"

using namespace weft::runtime;

namespace {
/// The sentences of the options, as ids of the source vocabulary.
class SourceSentences {
public:
  SourceSentences(const Options &options, const LoadedWeights &weights, const Dimension &vocabulary)
      : options(options), weights(weights), vocabulary(vocabulary) {}
  Status read();
  std::vector<SourceSentence> sentences;
  std::vector<bool> lines; // whether there is a sentence, of each --source and each line of files
  TokenizerPtr tokenizer;  // nullptr: ids
  int64_t unknown = 0;     // words that the vocabulary lacks
  std::string firstUnknown;

private:
  Status openTokenizer();
  bool isEmpty(const std::string &line) const;
  Status addSentence(const std::string &sentence, const std::string &origin);
  Status addLines();
  const Options &options;
  const LoadedWeights &weights;
  const Dimension &vocabulary;
};
} // namespace

Status SourceSentences::openTokenizer() {
  if (options.has("ids"))
    return success();
  Result<TokenizerPtr> opened =
      savedTokenizer(weights, options, vocabulary, sourceTokenizerFile, "source-tokenizer");
  if (!opened)
    return opened.error();
  if (!*opened)
    return Error{Code::Usage, text("%s has no source vocabulary: give one with --source-tokenizer, "
                                   "or --ids for ids",
                                   options.string("checkpoint", "this program").c_str())};
  tokenizer = std::move(*opened);
  return success();
}

/// Whether there is nothing to translate: the line of the translation is empty too, so that both
/// files go on having the same lines.
bool SourceSentences::isEmpty(const std::string &line) const {
  const Words *words = asWords(tokenizer.get());
  return words ? wordsOf(line, words->rules()).empty()
               : line.find_first_not_of(" \t\r\v\f") == std::string::npos;
}

Status SourceSentences::addSentence(const std::string &sentence, const std::string &origin) {
  Result<std::vector<int32_t>> ids =
      tokenizer ? tokenizer->encode(sentence) : readIds(sentence, origin.c_str());
  if (!ids)
    return Error{ids.error().code, (tokenizer ? origin + ": " : "") + ids.error().message};
  if (const Words *words = asWords(tokenizer.get())) {
    std::vector<std::string> all = wordsOf(sentence, words->rules());
    if (all.empty())
      return Error{Code::Value, origin + ": has no words"};
    *ids = words->sentence(all);
    for (size_t i = 0; i < all.size(); ++i)
      if ((*ids)[i] == words->unknown() && unknown++ == 0)
        firstUnknown = text("%s: `%s`", origin.c_str(), all[i].c_str());
  }
  sentences.push_back({std::move(*ids), origin});
  lines.push_back(true);
  return success();
}

/// A sentence on each line.
Status SourceSentences::addLines() {
  Result<std::vector<TextLine>> all = readLines(options.all("source-file"));
  if (!all)
    return all.error();
  for (const TextLine &line : *all) {
    if (isEmpty(line.text)) {
      lines.push_back(false);
      continue;
    }
    if (Status status = addSentence(line.text, line.origin); !status)
      return status;
  }
  return success();
}

Status SourceSentences::read() {
  if (Status status = openTokenizer(); !status)
    return status;
  for (const std::string &sentence : options.all("source"))
    if (Status status = addSentence(sentence, "--source"); !status)
      return status;
  if (Status status = addLines(); !status)
    return status;
  if (sentences.empty())
    return Error{Code::Value, "there is no sentence to translate"};
  return success();
}

Result<Translations> weft::runtime::translateGiven(Model &model, const Options &options,
                                                   const LoadedWeights &weights,
                                                   const SearchRequest &request) {
  Result<Translator> translator =
      Translator::create(model, *request.decoding, request.prompt, request.settings);
  if (!translator)
    return translator.error();
  SourceSentences sources(options, weights, translator->sourceVocabulary());
  if (Status status = sources.read(); !status)
    return status.error();
  constexpr int64_t together = 64;
  std::optional<int32_t> padding = sources.tokenizer ? sources.tokenizer->padding() : std::nullopt;
  Result<std::vector<Hypothesis>> found =
      translator->translate(sources.sentences, together, padding);
  if (!found)
    return found.error();
  Translations result{{}, sources.unknown, sources.firstUnknown};
  auto next = found->begin();
  for (bool isSentence : sources.lines)
    result.found.push_back(isSentence ? std::optional(std::move(*next++)) : std::nullopt);
  return result;
}
