// `OUT generate`: a prompt, continued.
#include "runtime/generation/Continuation.h"
#include "runtime/program/Command.h"
#include "runtime/program/GenerateSearch.h"
#include "runtime/program/SavedTokenizer.h"
#include "runtime/program/SearchOptions.h"
#include "runtime/program/Translating.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace weft::runtime;

namespace {
struct Opened {
  LoadedWeights weights;
  TokenizerPtr tokenizer; // that of the weights, or another that is given; none with --ids
};
} // namespace

static Result<Opened> openModel(Model &model, const Options &options) {
  Result<const Decoding *> decoding = chooseDecoding(model.facts, options);
  if (!decoding)
    return decoding.error();
  Result<LoadedWeights> weights =
      loadOrCarried(model, options.string("checkpoint"), "checkpoint", (*decoding)->name);
  if (!weights)
    return weights.error();
  if (options.has("ids"))
    return Opened{std::move(*weights), nullptr};
  const std::vector<Argument> &inputs = model.facts.entries[(*decoding)->advance].inputs;
  const Argument &ids = inputs[argumentNamed(inputs, (*decoding)->argument)];
  Result<TokenizerPtr> tokenizer = savedTokenizer(*weights, options, model.facts.dims[ids.index]);
  if (!tokenizer)
    return tokenizer.error();
  if (!*tokenizer)
    return Error{Code::Usage,
                 text("%s has no tokenizer: give one with --tokenizer, or --ids for ids",
                      options.string("checkpoint", "this program").c_str())};
  return Opened{std::move(*weights), std::move(*tokenizer)};
}

static Result<std::vector<int32_t>> readPrompt(const Options &options,
                                               const ContinuationRequest &request) {
  std::string given = options.string("prompt");
  Result<std::vector<int32_t>> ids =
      request.tokenizer ? encodeFromStart(*request.tokenizer, given) : readIds(given, "--prompt");
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
  // who says how to choose wants a choice; otherwise the most likely token, as `decode` is defined
  bool random =
      options.has("top-k") || options.has("top-p") || options.has("min-p") || options.has("seed");
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

// A step computes as many positions, of which the last are kept seldom.
static constexpr int64_t mostProposed = 64;

static Result<ContinuationRequest> readRequest(Model &model, const Options &options) {
  ContinuationRequest request;
  Result<const Decoding *> decoding = chooseDecoding(model.facts, options);
  if (!decoding)
    return decoding.error();
  request.decoding = *decoding;
  Result<SamplingSettings> sampling = readSampling(options);
  if (!sampling)
    return sampling.error();
  request.sampling = *sampling;
  Result<int64_t> most =
      options.integer("max-tokens", usualTokens(*request.decoding), 1, INT32_MAX);
  if (!most)
    return most.error();
  request.maxTokens = *most;
  Result<int64_t> speculate = options.integer("speculate", 0, 1, mostProposed);
  if (!speculate)
    return speculate.error();
  request.speculate = *speculate;
  Result<Opened> opened = openModel(model, options);
  if (!opened)
    return opened.error();
  request.tokenizer = std::move(opened->tokenizer);
  Result<std::vector<int32_t>> prompt = readPrompt(options, request);
  if (!prompt)
    return prompt.error();
  request.prompt = std::move(*prompt);
  return request;
}

static Result<int> findMostLikely(Model &model, const Options &options) {
  Result<Opened> opened = openModel(model, options);
  if (!opened)
    return opened.error();
  return generateBySearch(model, options, opened->weights, opened->tokenizer.get());
}

/// What a decoding takes besides ids is given, or the error says how.
static Status checkInputs(const Facts &facts, const Options &options) {
  Result<const Decoding *> decoding = chooseDecoding(facts, options);
  if (!decoding)
    return decoding.error();
  std::vector<Argument> needed = givenInputsOf(facts, **decoding);
  if (needed.empty() || options.has("source") || options.has("source-file") ||
      options.has("inputs"))
    return success();
  std::vector<std::string> names;
  for (const Argument &input : needed)
    names.push_back(input.name);
  bool source = takesSource(facts, **decoding);
  return Error{Code::Usage,
               text("%s needs %s besides the ids: give %s", (*decoding)->name.c_str(),
                    listed(names).c_str(),
                    source ? "a sentence with --source TEXT, or --inputs FILE"
                           : "--inputs FILE, a safetensors file with tensors of these names")};
}

/// What became of the proposals.
static std::string speculationText(const ContinuationRequest &request, const Continuation &made) {
  return request.speculate == 0 ? ""
                                : text("; %lld of %lld proposed kept, %lld steps", wide(made.kept),
                                       wide(made.proposed), wide(made.steps));
}

static Result<int> generate(Model &model, const Options &options) {
  if (Status status = checkInputs(model.facts, options); !status)
    return status.error();
  if (searches(options))
    return findMostLikely(model, options);
  Result<ContinuationRequest> request = readRequest(model, options);
  if (!request)
    return request.error();
  Result<int64_t> room = roomFor(model.facts, *request);
  if (!room)
    return room.error();
  auto length = static_cast<int64_t>(request->prompt.size());
  Result<Generator> generator = Generator::create(model, *request->decoding, length + *room - 1);
  if (!generator)
    return generator.error();
  if (request->speculate > 0)
    if (Status status = generator->checkSideBySide(); !status)
      return Error{Code::Usage, "--speculate: " + status.error().message + "; leave it out"};
  Result<Continuation> made = continuePrompt(*generator, *request, *room);
  if (!made)
    return made.error();
  if (!made->ended && *room < request->maxTokens) {
    ContextLimit limit = *contextLimit(model.facts, *request->decoding);
    fprintf(stderr, "the context is full: %s <= %lld%s; --max-tokens %lld asked for more\n",
            model.facts.dims[limit.dimension].name.c_str(), wide(limit.positions),
            model.facts.place(model.facts.dims[limit.dimension]).c_str(), wide(request->maxTokens));
  }
  if (!options.has("quiet") && made->tokens > 1)
    fprintf(stderr, "%lld tokens, %.1f a second%s; prompt of %lld in %.3f s; %s\n",
            wide(made->tokens),
            static_cast<double>(made->tokens - 1) / std::max(made->stepSeconds, 1e-9),
            speculationText(*request, *made).c_str(), wide(length), made->promptSeconds,
            model.place().c_str());
  return 0;
}

static bool understands(const Facts &facts, std::string_view option) {
  auto some = [&](auto takes) {
    return std::any_of(facts.decodings.begin(), facts.decodings.end(), takes);
  };
  if (option == "source" || option == "source-file" || option == "source-tokenizer")
    return some([&](const Decoding &decoding) { return takesSource(facts, decoding); });
  return option != "inputs" ||
         some([&](const Decoding &decoding) { return !givenInputsOf(facts, decoding).empty(); });
}

Command weft::runtime::generateCommand() {
  return {
      "generate",
      "continue a prompt, or translate",
      "Prints the prompt and what the model makes of it. Without --temperature, --top-k, --top-p, "
      "--min-p or --seed it takes\nthe most likely token each time.\nWith --beam, "
      "--length-penalty, "
      "--end or --suppress it searches for the most likely continuation, and prints a line for "
      "each.",
      {checkpointOption(),
       {"prompt", "TEXT", "what to go on from"},
       {"source", "TEXT...", "a sentence to translate, by such a search; may be repeated"},
       {"source-file", "FILE...",
        "a sentence on each line, an empty line stays one; - for standard input; may be repeated"},
       {"inputs", "FILE",
        "what else the model takes, as tensors, for such a search: a safetensors file"},
       {"beam", "K", "search with K unfinished continuations (default 1: greedy)"},
       {"length-penalty", "A", "scores of beams are divided by length^A (default 0)"},
       {"end", "TOKEN", "what ends a sequence, instead of the tokenizer's own mark"},
       {"suppress", "TEXT...",
        "tokens that a search never makes one after the other; may be repeated"},
       {"max-tokens", "N", "how many tokens to make"},
       {"temperature", "T",
        "above 0: draw at random; below 1 favours what is likely (default 1 where it draws)"},
       {"top-k", "K", "draw from the K most likely tokens"},
       {"top-p", "P", "draw from the most likely tokens that together have this probability"},
       {"min-p", "P", "draw from the tokens with this share of the most likely one's probability"},
       {"seed", "N", "of the draws (default 0)"},
       {"speculate", "N",
        "where the text repeats itself, take up to N tokens more in a step: the same text, sooner"},
       tokenizerOption(),
       {"source-tokenizer", "KIND", "the same of sources"},
       {"ids", "", "the prompt is ids, and so is the output"},
       {"entry", "NAME", "which decoding, where the model has several"},
       {"quiet", "", "no closing line"}},
      generate,
      true,
      understands,
      [](const Facts &facts) { return !facts.decodings.empty(); }};
}
