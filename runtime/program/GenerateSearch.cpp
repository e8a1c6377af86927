// Sources, prompts and inputs, searched and printed.
#include "runtime/program/GenerateSearch.h"

#include "runtime/files/MappedFile.h"
#include "runtime/generation/Translator.h"
#include "runtime/isa/Isa.h"
#include "runtime/program/SearchOptions.h"
#include "runtime/tokenizers/Words.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace weft::runtime;

bool weft::runtime::searches(const Options &options) {
  for (const char *name : {"source", "source-file", "inputs", "beam", "end", "suppress"})
    if (options.has(name))
      return true;
  return false;
}

Result<std::vector<int32_t>> weft::runtime::readIds(const std::string &given, const char *option) {
  std::vector<int32_t> ids;
  const char *next = given.c_str();
  for (;;) {
    next += strspn(next, " ,\t\n");
    if (!*next)
      return ids;
    char *end = nullptr;
    long id = strtol(next, &end, 10);
    if (end == next || id < 0 || id > INT32_MAX)
      return Error{Code::Usage, text("%s %s: with --ids, expected ids such as \"12 7 300\"", option,
                                     given.c_str())};
    ids.push_back(static_cast<int32_t>(id));
    next = end;
  }
}

namespace {
class GenerateSearch {
public:
  GenerateSearch(Model &model, const Options &options, const LoadedWeights &weights,
                 const Tokenizer *tokenizer)
      : model(model), options(options), weights(weights), tokenizer(tokenizer) {}
  Result<int> run();

private:
  Status readSettings();
  Status readPrompt();
  Result<std::vector<int32_t>> readTokens(const std::string &given, const char *option) const;
  Status readForbidden();
  Status openSourceTokenizer();
  Status addSentence(const std::string &sentence, const std::string &origin);
  Status readSentences();
  Status readLines(const std::string &path);
  Result<std::vector<Found>> translate();
  Result<std::vector<Found>> searchInputs();
  void print(const Found &found) const;
  Model &model;
  const Options &options;
  const LoadedWeights &weights;
  const Tokenizer *tokenizer; // nullptr: ids
  const Decoding *decoding = nullptr;
  TokenizerPtr sourceTokenizer;
  SearchSettings settings;
  std::vector<int32_t> prompt;
  std::vector<SourceSentence> sentences;
  int64_t unknown = 0; // words that the source vocabulary lacks
  std::string firstUnknown;
};
} // namespace

Status GenerateSearch::readSettings() {
  for (const char *name : {"temperature", "top-k", "top-p", "min-p", "seed"})
    if (options.has(name))
      return Error{Code::Usage, text("--%s draws at random; --source, --inputs, --beam, --end "
                                     "and --suppress search for what is most likely",
                                     name)};
  bool translates = options.has("source") || options.has("source-file");
  if (translates && options.has("inputs"))
    return Error{Code::Usage, "--inputs has the source as ids: leave --source out"};
  Result<const Decoding *> chosen = chooseDecoding(model.facts, options);
  if (!chosen)
    return chosen.error();
  decoding = *chosen;
  Result<SearchSettings> read = readSearch(options, *decoding);
  Result<int64_t> most = options.integer("max-tokens", usualTokens(*decoding), 1, INT32_MAX);
  if (!read || !most)
    return !read ? read.error() : most.error();
  settings = *read;
  settings.maxTokens = *most;
  const Entry &advance = model.facts.entries[decoding->advance];
  int ids = argumentNamed(advance.inputs, decoding->argument);
  int64_t vocabulary = ids < 0 ? 0 : model.facts.dims[advance.inputs[ids].index].size.value_or(0);
  if (tokenizer && tokenizer->size() > vocabulary)
    return Error{Code::Size,
                 text("the tokenizer has %lld ids, the model's `%s` %lld: it is "
                      "another model's",
                      wide(tokenizer->size()), decoding->argument.c_str(), wide(vocabulary))};
  if (tokenizer) {
    settings.end = tokenizer->endOfText();
    settings.ids = tokenizer->size();
  }
  return success();
}

/// Tokens of the output, as text or ids; at least one.
Result<std::vector<int32_t>> GenerateSearch::readTokens(const std::string &given,
                                                        const char *option) const {
  Result<std::vector<int32_t>> ids = tokenizer ? tokenizer->encode(given) : readIds(given, option);
  if (!ids)
    return Error{ids.error().code,
                 (tokenizer ? std::string(option) + ": " : "") + ids.error().message};
  if (ids->empty())
    return Error{Code::Usage, text("%s: is empty", option)};
  return ids;
}

/// --end and --suppress.
Status GenerateSearch::readForbidden() {
  if (options.has("end")) {
    Result<std::vector<int32_t>> end = readTokens(options.string("end"), "--end");
    if (!end)
      return end.error();
    if (end->size() != 1)
      return Error{Code::Usage, text("--end %s: is %zu tokens, expected one",
                                     options.string("end").c_str(), end->size())};
    settings.end = end->front();
  }
  for (const std::string &given : options.all("suppress")) {
    Result<std::vector<int32_t>> run = readTokens(given, "--suppress");
    if (!run)
      return run.error();
    settings.suppressed.push_back(std::move(*run));
  }
  return success();
}

/// What every continuation begins with: the begin mark of a vocabulary of words, or the start that
/// the model names where there is no prompt.
Status GenerateSearch::readPrompt() {
  std::string given = options.string("prompt");
  Result<std::vector<int32_t>> ids =
      tokenizer ? encodeFromStart(*tokenizer, given) : readIds(given, "--prompt");
  if (!ids)
    return Error{ids.error().code, (tokenizer ? "--prompt: " : "") + ids.error().message};
  prompt = std::move(*ids);
  if (prompt.empty() && decoding->start)
    prompt.push_back(static_cast<int32_t>(*decoding->start));
  if (prompt.empty())
    return Error{Code::Usage,
                 "--prompt is empty or missing: this model needs something to go on from"};
  return success();
}

Status GenerateSearch::openSourceTokenizer() {
  if (options.has("ids"))
    return success();
  std::string path = options.string("source-tokenizer", weights.file("source-tokenizer.json"));
  if (path.empty())
    return Error{Code::Usage, text("%s has no source vocabulary: give one with --source-tokenizer, "
                                   "or --ids for ids",
                                   options.string("checkpoint").c_str())};
  Result<TokenizerPtr> opened = tokenizerWithoutText(path);
  if (!opened)
    return opened.error();
  sourceTokenizer = std::move(*opened);
  return success();
}

Status GenerateSearch::addSentence(const std::string &sentence, const std::string &origin) {
  Result<std::vector<int32_t>> ids =
      sourceTokenizer ? sourceTokenizer->encode(sentence) : readIds(sentence, origin.c_str());
  if (!ids)
    return Error{ids.error().code, (sourceTokenizer ? origin + ": " : "") + ids.error().message};
  if (const Words *words = asWords(sourceTokenizer.get())) {
    std::vector<std::string> all = wordsOf(sentence, words->rules());
    if (all.empty())
      return Error{Code::Value, origin + ": has no words"};
    *ids = words->sentence(all);
    for (size_t i = 0; i < all.size(); ++i)
      if ((*ids)[i] == words->unknown() && unknown++ == 0)
        firstUnknown = text("%s: `%s`", origin.c_str(), all[i].c_str());
  }
  sentences.push_back({std::move(*ids), origin});
  return success();
}

/// A sentence on each line; "-" is standard input.
Status GenerateSearch::readLines(const std::string &path) {
  std::string all;
  if (path == "-") {
    char buffer[4096];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, stdin)) > 0;)
      all.append(buffer, count);
  } else {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file)
      return file.error();
    all = file->view();
  }
  std::string_view rest = all;
  for (int64_t number = 1; !rest.empty(); ++number) {
    std::string line(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string origin = text("%s:%lld", path == "-" ? "stdin" : path.c_str(), wide(number));
    if (Status status = addSentence(line, origin); !status)
      return status;
  }
  return success();
}

Status GenerateSearch::readSentences() {
  if (Status status = openSourceTokenizer(); !status)
    return status;
  for (const std::string &sentence : options.all("source"))
    if (Status status = addSentence(sentence, "--source"); !status)
      return status;
  for (const std::string &path : options.all("source-file"))
    if (Status status = readLines(path); !status)
      return status;
  if (sentences.empty())
    return Error{Code::Value, "there is no sentence to translate"};
  return success();
}

Result<std::vector<Found>> GenerateSearch::translate() {
  if (Status status = readSentences(); !status)
    return status.error();
  Result<Translator> translator = Translator::create(model, *decoding, prompt, settings);
  if (!translator)
    return translator.error();
  if (sourceTokenizer && sourceTokenizer->size() > translator->sourceVocabulary())
    return Error{Code::Size,
                 text("the source vocabulary has %lld words, the model %lld: it is "
                      "another model's",
                      wide(sourceTokenizer->size()), wide(translator->sourceVocabulary()))};
  constexpr int64_t together = 64;
  return translator->translate(sentences, together);
}

/// The prompt, continued for each row of the inputs; one row where there are none.
Result<std::vector<Found>> GenerateSearch::searchInputs() {
  GivenInputs inputs;
  int64_t rows = 1;
  if (options.has("inputs")) {
    Result<GivenInputs> read = readGivenInputs(model.facts, *decoding, options.string("inputs"));
    if (!read)
      return read.error();
    inputs = std::move(*read);
  }
  std::optional<ContextLimit> limit = contextLimit(model.facts, *decoding);
  auto length = static_cast<int64_t>(prompt.size());
  if (limit && length > limit->positions)
    return Error{Code::Size,
                 text("the prompt has %lld tokens, this build has room for %lld%s; shorten it",
                      wide(length), wide(limit->positions),
                      model.facts.place(model.facts.dims[limit->dimension]).c_str())};
  if (limit)
    settings.maxTokens = std::min(settings.maxTokens, limit->positions - length + 1);
  int batch =
      model.facts.entries[decoding->advance]
          .inputs[argumentNamed(model.facts.entries[decoding->advance].inputs, decoding->argument)]
          .dims[0];
  for (const Argument &input : givenInputsOf(model.facts, *decoding)) {
    auto at = std::find(input.dims.begin(), input.dims.end(), batch);
    if (auto found = inputs.find(input.name); found != inputs.end() && at != input.dims.end())
      rows = found->second.shape[static_cast<size_t>(at - input.dims.begin())];
  }
  Result<Generator> generator =
      Generator::create(model, *decoding, length + settings.maxTokens - 1, rows * settings.beams);
  if (!generator)
    return generator.error();
  for (const Argument &input : givenInputsOf(model.facts, *decoding))
    if (auto found = inputs.find(input.name); found != inputs.end())
      repeatRows(found->second, input, batch, settings.beams);
  if (Status status = generator->give(std::move(inputs)); !status)
    return status.error();
  return search(*generator, std::vector(static_cast<size_t>(rows), prompt), settings);
}

void GenerateSearch::print(const Found &found) const {
  std::vector<int32_t> all = prompt;
  all.insert(all.end(), found.ids.begin(), found.ids.end());
  std::string line;
  if (tokenizer)
    line = decodeText(*tokenizer, all);
  else
    for (int32_t id : all)
      line += text("%s%d", line.empty() ? "" : " ", id);
  puts(line.c_str());
}

Result<int> GenerateSearch::run() {
  for (auto prepare :
       {&GenerateSearch::readSettings, &GenerateSearch::readForbidden, &GenerateSearch::readPrompt})
    if (Status status = (this->*prepare)(); !status)
      return status.error();
  auto start = std::chrono::steady_clock::now();
  bool translates = options.has("source") || options.has("source-file");
  Result<std::vector<Found>> found = translates ? translate() : searchInputs();
  if (!found)
    return found.error();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  size_t tokens = 0;
  for (const Found &one : *found) {
    print(one);
    tokens += one.ids.size() + (one.ended ? 1 : 0);
  }
  fflush(stdout); // before what follows on the other stream
  if (options.has("quiet"))
    return 0;
  if (unknown > 0)
    fprintf(stderr, "%lld word%s not in the source vocabulary, the first is %s\n", wide(unknown),
            unknown == 1 ? " is" : "s are", firstUnknown.c_str());
  fprintf(stderr, "%zu sequence%s, %zu tokens in %.3f s; %s, %d threads\n", found->size(),
          found->size() == 1 ? "" : "s", tokens, seconds, isaName(model.isa),
          model.pool->threads());
  return 0;
}

Result<int> weft::runtime::generateBySearch(Model &model, const Options &options,
                                            const LoadedWeights &weights,
                                            const Tokenizer *tokenizer) {
  return GenerateSearch(model, options, weights, tokenizer).run();
}
