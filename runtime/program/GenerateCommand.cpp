// `OUT generate`: a prompt, continued.
#include "runtime/generation/Generator.h"
#include "runtime/generation/Sampler.h"
#include "runtime/isa/Isa.h"
#include "runtime/program/Command.h"
#include "runtime/text/Utf8Stream.h"
#include "runtime/tokenizers/Tokenizer.h"
#include "runtime/training/LoadWeights.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace weft::runtime;

static long long number(int64_t value) {
  return static_cast<long long>(value);
}

namespace {
/// Prints tokens as they come: as text, or as ids.
class Printer {
public:
  explicit Printer(const Tokenizer *tokenizer) : tokenizer(tokenizer) {}
  void print(int32_t id) {
    if (tokenizer)
      fputs(stream.push(tokenizer->decode(id)).c_str(), stdout);
    else
      printf("%s%d", first ? "" : " ", id);
    first = false;
    fflush(stdout);
  }
  void finish() {
    fputs(stream.finish().c_str(), stdout);
    putchar('\n');
    fflush(stdout); // before what follows on the other stream
  }

private:
  const Tokenizer *tokenizer; // nullptr: ids
  Utf8Stream stream;
  bool first = true;
};

/// All that a continuation needs, checked before anything is computed.
struct Request {
  const Decoding *decoding = nullptr;
  TokenizerPtr tokenizer; // nullptr: ids
  std::vector<int32_t> prompt;
  int64_t maxTokens = 0;
  SamplingSettings sampling;
};
} // namespace

/// Loads the weights, and opens the tokenizer that was saved with them.
static Status openWeights(Model &model, const Options &options, Request &request) {
  Result<std::string> path = options.need("checkpoint");
  if (!path)
    return path.error();
  Result<std::string> saved = loadWeights(model, *path);
  if (!saved)
    return saved.error();
  if (options.has("ids"))
    return success();
  std::string tokenizer = options.string("tokenizer", *saved);
  if (tokenizer.empty())
    return Error{
        Code::Usage,
        text("%s has no tokenizer: give one with --tokenizer, or --ids for ids", path->c_str())};
  Result<TokenizerPtr> made = tokenizerWithoutText(tokenizer);
  if (!made)
    return made.error();
  request.tokenizer = std::move(*made);
  return success();
}

/// "1 2, 3" as ids.
static Result<std::vector<int32_t>> readIds(const std::string &given) {
  std::vector<int32_t> ids;
  const char *next = given.c_str();
  for (;;) {
    next += strspn(next, " ,\t\n");
    if (!*next)
      return ids;
    char *end = nullptr;
    long id = strtol(next, &end, 10);
    if (end == next || id < 0 || id > INT32_MAX)
      return Error{Code::Usage, text("--prompt %s: with --ids, expected ids such as \"12 7 300\"",
                                     given.c_str())};
    ids.push_back(static_cast<int32_t>(id));
    next = end;
  }
}

static Result<std::vector<int32_t>> readPrompt(const Options &options, const Request &request) {
  std::string given = options.string("prompt");
  Result<std::vector<int32_t>> ids =
      request.tokenizer ? request.tokenizer->encode(given, Marks::Recognised) : readIds(given);
  if (!ids)
    return Error{ids.error().code, (request.tokenizer ? "--prompt: " : "") + ids.error().message};
  if (ids->empty() && request.decoding->start)
    ids->push_back(static_cast<int32_t>(*request.decoding->start));
  if (ids->empty())
    return Error{Code::Usage,
                 "--prompt is empty or missing: this model needs something to go on from"};
  return ids;
}

static Result<SamplingSettings> readSampling(const Options &options) {
  // who restricts the choice wants one; otherwise the most likely token, as `decode` is defined
  bool random = options.has("top-k") || options.has("top-p") || options.has("min-p");
  Result<double> temperature = options.real("temperature", random ? 1 : 0, 0, 1e6);
  Result<int64_t> topK = options.integer("top-k", 0, 0, INT32_MAX);
  Result<double> topP = options.real("top-p", 1, 0, 1), minP = options.real("min-p", 0, 0, 1);
  Result<uint64_t> seed = options.seed();
  for (const Error *error : {temperature ? nullptr : &temperature.error(),
                             topK ? nullptr : &topK.error(), topP ? nullptr : &topP.error(),
                             minP ? nullptr : &minP.error(), seed ? nullptr : &seed.error()})
    if (error)
      return *error;
  return SamplingSettings{*temperature, *topK, *topP, *minP, *seed};
}

static Result<Request> readRequest(Model &model, const Options &options) {
  Request request;
  for (const Decoding &decoding : model.facts.decodings)
    if (!request.decoding && (!options.has("entry") || options.string("entry") == decoding.name))
      request.decoding = &decoding;
  if (!request.decoding)
    return Error{Code::Value,
                 options.has("entry")
                     ? text("no entry `%s` made by `decode`", options.string("entry").c_str())
                     : "this program does not generate: its model has no entry made by `decode`"};
  Result<SamplingSettings> sampling = readSampling(options);
  if (!sampling)
    return sampling.error();
  request.sampling = *sampling;
  constexpr int64_t usual = 100;
  Result<int64_t> most =
      options.integer("max-tokens", request.decoding->max.value_or(usual), 1, INT32_MAX);
  if (!most)
    return most.error();
  request.maxTokens = *most;
  if (Status status = openWeights(model, options, request); !status)
    return status.error();
  Result<std::vector<int32_t>> prompt = readPrompt(options, request);
  if (!prompt)
    return prompt.error();
  request.prompt = std::move(*prompt);
  return request;
}

/// How many tokens can be made before the context is full. The last one is not taken in again, so
/// it needs no room.
static Result<int64_t> roomFor(const Facts &facts, const Request &request) {
  std::optional<ContextLimit> limit = contextLimit(facts, *request.decoding);
  auto length = static_cast<int64_t>(request.prompt.size());
  if (!limit)
    return request.maxTokens;
  if (length > limit->positions)
    return Error{Code::Size,
                 text("the prompt has %lld tokens, this build has room for %lld%s; shorten it",
                      number(length), number(limit->positions),
                      facts.place(facts.dims[limit->dimension]).c_str())};
  return std::min(request.maxTokens, limit->positions - length + 1);
}

namespace {
/// What a continuation came to.
struct Made {
  int64_t tokens = 0;
  bool ended = false; // the model ended the text
  double promptSeconds = 0, stepSeconds = 0;
};
} // namespace

/// Prints the prompt and up to `room` tokens after it, as they are made.
static Result<Made> continuePrompt(Generator &generator, const Request &request, int64_t room) {
  using Clock = std::chrono::steady_clock;
  Printer printer(request.tokenizer.get());
  std::optional<int32_t> end = request.tokenizer ? request.tokenizer->endOfText() : std::nullopt;
  std::vector<int32_t> fresh = request.prompt;
  Made made;
  Clock::time_point start = Clock::now(), prefilled = start;
  for (; made.tokens < room; ++made.tokens) {
    Result<std::span<const float>> logits = generator.advance(fresh);
    if (!logits) {
      if (made.tokens > 0)
        printer.finish();
      return logits.error();
    }
    if (made.tokens == 0) { // a prompt that the model refuses is not printed
      prefilled = Clock::now();
      for (int32_t id : request.prompt)
        printer.print(id);
    }
    // ids that the tokenizer does not have are never chosen
    size_t known =
        request.tokenizer ? static_cast<size_t>(request.tokenizer->size()) : logits->size();
    Result<int32_t> next = chooseToken(logits->first(std::min(known, logits->size())),
                                       request.sampling, generator.known());
    if (!next) {
      printer.finish();
      return next.error();
    }
    if (end && *next == *end) {
      made.ended = true;
      break;
    }
    printer.print(*next);
    fresh = {*next};
  }
  printer.finish();
  made.promptSeconds = std::chrono::duration<double>(prefilled - start).count();
  made.stepSeconds = std::chrono::duration<double>(Clock::now() - prefilled).count();
  return made;
}

static Result<int> generate(Model &model, const Options &options) {
  Result<Request> request = readRequest(model, options);
  if (!request)
    return request.error();
  Result<int64_t> room = roomFor(model.facts, *request);
  if (!room)
    return room.error();
  auto length = static_cast<int64_t>(request->prompt.size());
  Result<Generator> generator = Generator::create(model, *request->decoding, length + *room - 1);
  if (!generator)
    return generator.error();
  Result<Made> made = continuePrompt(*generator, *request, *room);
  if (!made)
    return made.error();
  if (!made->ended && *room < request->maxTokens) {
    ContextLimit limit = *contextLimit(model.facts, *request->decoding);
    fprintf(stderr, "the context is full: %s <= %lld%s; --max-tokens %lld asked for more\n",
            model.facts.dims[limit.dimension].name.c_str(), number(limit.positions),
            model.facts.place(model.facts.dims[limit.dimension]).c_str(),
            number(request->maxTokens));
  }
  if (!options.has("quiet") && made->tokens > 1)
    fprintf(stderr, "%lld tokens, %.1f a second; prompt of %lld in %.3f s; %s, %d threads\n",
            number(made->tokens),
            static_cast<double>(made->tokens - 1) / std::max(made->stepSeconds, 1e-9),
            number(length), made->promptSeconds, isaName(model.isa), model.pool->threads());
  return 0;
}

Command weft::runtime::generateCommand() {
  return {
      "generate",
      "continue a prompt",
      "Prints the prompt and what the model makes of it. Without --temperature, --top-k, --top-p "
      "or --min-p it takes the\n"
      "most likely token each time.",
      {checkpointOption(),
       {"prompt", "TEXT", "what to go on from"},
       {"max-tokens", "N", "how many tokens to make"},
       {"temperature", "T", "above 0: draw at random; below 1 favours what is likely"},
       {"top-k", "K", "draw from the K most likely tokens"},
       {"top-p", "P", "draw from the most likely tokens that together have this probability"},
       {"min-p", "P", "draw from the tokens with this share of the most likely one's probability"},
       {"seed", "N", "of the draws (default 0)"},
       {"tokenizer", "KIND", "byte, merges:FILE, or a saved FILE (default: the checkpoint's)"},
       {"ids", "", "the prompt is ids, and so is the output"},
       {"entry", "NAME", "which decoding, where the model has several"},
       {"quiet", "", "no closing line"}},
      generate};
}
