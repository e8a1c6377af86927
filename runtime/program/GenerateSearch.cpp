// Sources, prompts and inputs, searched and printed.
#include "runtime/program/GenerateSearch.h"

#include "runtime/program/Prompts.h"
#include "runtime/program/SearchOptions.h"
#include "runtime/program/Translating.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace weft::runtime;

bool weft::runtime::searches(const Options &options) {
  for (const char *name :
       {"source", "source-file", "inputs", "beam", "length-penalty", "end", "suppress"})
    if (options.has(name))
      return true;
  return false;
}

Result<std::vector<int32_t>> weft::runtime::readIds(const std::string &given, const char *option) {
  std::vector<int32_t> ids;
  const char *next = given.c_str(), *behind = next + given.size();
  for (;;) {
    next += strspn(next, " ,\t\n");
    if (next == behind)
      return ids;
    char *end = nullptr;
    long id = strtol(next, &end, 10);
    if (end == next || id < 0 || id > INT32_MAX)
      return Error{Code::Usage, text("%s: with --ids, expected ids such as \"12 7 300\"", option)};
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
  Status readStart();
  Result<std::vector<int32_t>> readTokens(const std::string &given, const char *option) const;
  Status readForbidden();
  Result<Translations> searchInputs();
  void print(const Hypothesis &found) const;
  Model &model;
  const Options &options;
  const LoadedWeights &weights;
  const Tokenizer *tokenizer; // nullptr: ids
  SearchRequest request;
};
} // namespace

Status GenerateSearch::readSettings() {
  for (const char *name : {"temperature", "top-k", "top-p", "min-p", "seed"})
    if (options.has(name))
      return Error{Code::Usage, text("--%s draws at random; --source, --inputs, --beam, --end "
                                     "and --suppress search for what is most likely",
                                     name)};
  for (const char *name : promptOptions)
    if (options.has(name))
      return Error{Code::Usage, text("--%s goes with prompts that are continued token by token; "
                                     "--source, --inputs, --beam, --end and --suppress search",
                                     name)};
  if (options.all("prompt").size() > 1)
    return Error{Code::Usage, "--prompt is given twice: --source, --inputs, --beam, --end and "
                              "--suppress search for what follows one"};
  bool translates = options.has("source") || options.has("source-file");
  if (translates && options.has("inputs"))
    return Error{Code::Usage, "--inputs has the source as ids: leave --source out"};
  Result<const Decoding *> chosen = chooseDecoding(model.facts, options);
  if (!chosen)
    return chosen.error();
  request.decoding = *chosen;
  Result<SearchSettings> read = readSearch(options, *request.decoding);
  Result<int64_t> most =
      options.integer("max-tokens", usualTokens(*request.decoding), 1, INT32_MAX);
  if (!read || !most)
    return !read ? read.error() : most.error();
  request.settings = *read;
  request.settings.maxTokens = *most;
  if (tokenizer) {
    request.settings.end = tokenizer->endOfText();
    request.settings.ids = tokenizer->size();
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
  if (std::optional<std::string> word = tokenizer ? tokenizer->unknownWord(given) : std::nullopt)
    return Error{Code::Value, text("%s: `%s` is no word of the vocabulary", option, word->c_str())};
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
    request.settings.end = end->front();
  }
  for (const std::string &given : options.all("suppress")) {
    Result<std::vector<int32_t>> run = readTokens(given, "--suppress");
    if (!run)
      return run.error();
    request.settings.suppressed.push_back(std::move(*run));
  }
  return success();
}

/// What every continuation begins with: the begin mark of a vocabulary of words, or the start that
/// the model names where there is no prompt.
Status GenerateSearch::readStart() {
  Result<std::vector<int32_t>> ids =
      readPrompt(options.string("prompt"), "--prompt", tokenizer, *request.decoding);
  if (!ids)
    return ids.error();
  request.prompt = std::move(*ids);
  return success();
}

/// The prompt, continued for each row of the inputs; one row where there are none.
Result<Translations> GenerateSearch::searchInputs() {
  GivenInputs inputs;
  int64_t rows = 1;
  if (options.has("inputs")) {
    Result<GivenInputs> read =
        readGivenInputs(model.facts, *request.decoding, options.string("inputs"));
    if (!read)
      return read.error();
    inputs = std::move(*read);
  }
  std::optional<ContextLimit> limit = contextLimit(model.facts, *request.decoding);
  auto length = static_cast<int64_t>(request.prompt.size());
  if (limit && length > limit->positions)
    return Error{Code::Size,
                 text("the prompt has %lld tokens, this build has room for %lld%s; shorten it",
                      wide(length), wide(limit->positions),
                      model.facts.place(model.facts.dims[limit->dimension]).c_str())};
  if (limit)
    request.settings.maxTokens =
        std::min(request.settings.maxTokens, limit->positions - length + 1);
  int batch = model.facts.entries[request.decoding->advance]
                  .inputs[argumentNamed(model.facts.entries[request.decoding->advance].inputs,
                                        request.decoding->argument)]
                  .dims[0];
  for (const Argument &input : givenInputsOf(model.facts, *request.decoding)) {
    auto at = std::find(input.dims.begin(), input.dims.end(), batch);
    if (auto found = inputs.find(input.name); found != inputs.end() && at != input.dims.end())
      rows = found->second.shape[static_cast<size_t>(at - input.dims.begin())];
  }
  Result<Generator> generator =
      Generator::create(model, *request.decoding, length + request.settings.maxTokens - 1,
                        rows * request.settings.beams);
  if (!generator)
    return generator.error();
  for (const Argument &input : givenInputsOf(model.facts, *request.decoding))
    if (auto found = inputs.find(input.name); found != inputs.end())
      repeatRows(found->second, input, batch, request.settings.beams);
  if (Status status = generator->give(std::move(inputs)); !status)
    return status.error();
  Result<std::vector<Hypothesis>> found =
      search(*generator, std::vector(static_cast<size_t>(rows), request.prompt), request.settings);
  if (!found)
    return found.error();
  return Translations{{found->begin(), found->end()}, 0, ""};
}

void GenerateSearch::print(const Hypothesis &found) const {
  std::vector<int32_t> all = request.prompt;
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
       {&GenerateSearch::readSettings, &GenerateSearch::readForbidden, &GenerateSearch::readStart})
    if (Status status = (this->*prepare)(); !status)
      return status.error();
  auto start = std::chrono::steady_clock::now();
  bool translates = options.has("source") || options.has("source-file");
  Result<Translations> made =
      translates ? translateSources(model, options, weights, request) : searchInputs();
  if (!made)
    return made.error();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  size_t tokens = 0, sequences = 0;
  for (const std::optional<Hypothesis> &one : made->found) {
    if (!one) {
      puts("");
      continue;
    }
    print(*one);
    tokens += one->ids.size() + (one->ended ? 1 : 0);
    ++sequences;
  }
  fflush(stdout); // before what follows on the other stream
  if (options.has("quiet"))
    return 0;
  if (made->unknown > 0)
    fprintf(stderr, "%lld word%s not in the source vocabulary, the first is %s\n",
            wide(made->unknown), made->unknown == 1 ? " is" : "s are", made->firstUnknown.c_str());
  fprintf(stderr, "%zu sequence%s, %zu tokens in %.3f s; %s\n", sequences,
          sequences == 1 ? "" : "s", tokens, seconds, model.place().c_str());
  return 0;
}

Result<int> weft::runtime::generateBySearch(Model &model, const Options &options,
                                            const LoadedWeights &weights,
                                            const Tokenizer *tokenizer) {
  return GenerateSearch(model, options, weights, tokenizer).run();
}
