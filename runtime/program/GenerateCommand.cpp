// `OUT generate`: prompts, continued.
#include "runtime/machine/Cores.h"
#include "runtime/program/Command.h"
#include "runtime/program/GenerateSearch.h"
#include "runtime/program/Prompts.h"
#include "runtime/program/SavedTokenizer.h"
#include "runtime/program/SearchOptions.h"
#include "runtime/program/TextOutput.h"
#include "runtime/program/Translating.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include <algorithm>

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
static constexpr int64_t usuallyProposed = 4; // by a draft
// Each has caches of its own.
static constexpr int64_t usualBatch = 8;

static Result<ContinuationSettings> readSettings(Model &model, const Options &options) {
  ContinuationSettings settings;
  Result<const Decoding *> decoding = chooseDecoding(model.facts, options);
  if (!decoding)
    return decoding.error();
  settings.decoding = *decoding;
  Result<SamplingSettings> sampling = readSampling(options);
  if (!sampling)
    return sampling.error();
  settings.sampling = *sampling;
  Result<int64_t> most =
      options.integer("max-tokens", usualTokens(*settings.decoding), 1, INT32_MAX);
  if (!most)
    return most.error();
  settings.maxTokens = *most;
  Result<int64_t> speculate =
      options.integer("speculate", options.has("draft") ? usuallyProposed : 0, 1, mostProposed);
  if (!speculate)
    return speculate.error();
  settings.speculate = *speculate;
  Result<Opened> opened = openModel(model, options);
  if (!opened)
    return opened.error();
  settings.tokenizer = std::move(opened->tokenizer);
  return settings;
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

/// Says where texts had no room for all that was asked for.
static void warnOfFull(const Facts &facts, const ContinuationSettings &settings, size_t texts,
                       int64_t full) {
  if (full == 0)
    return;
  ContextLimit limit = *contextLimit(facts, *settings.decoding);
  std::string which = texts == 1 ? "" : text(" for %lld of %zu texts", wide(full), texts);
  fprintf(stderr, "the context is full%s: %s <= %lld%s; --max-tokens %lld asked for more\n",
          which.c_str(), facts.dims[limit.dimension].name.c_str(), wide(limit.positions),
          facts.place(facts.dims[limit.dimension]).c_str(), wide(settings.maxTokens));
}

/// The closing line: what was made, how fast, and by what.
static void report(const Model &model, bool speculates, size_t texts,
                   const ContinuationTotals &made) {
  std::string count = texts == 1 ? "" : text("%zu texts, ", texts), speculation;
  if (speculates)
    speculation = text("; %lld of %lld proposed kept, %lld steps", wide(made.kept),
                       wide(made.proposed), wide(made.steps));
  fprintf(stderr, "%s%lld tokens, %.1f a second%s; prompt%s of %lld in %.3f s; %s\n", count.c_str(),
          wide(made.tokens), static_cast<double>(made.stepped) / std::max(made.stepSeconds, 1e-9),
          speculation.c_str(), texts == 1 ? "" : "s", wide(made.prompts), made.promptSeconds,
          model.place().c_str());
}

/// Its threads shall find the cores that this program found, not the one that this thread is kept
/// on.
static Result<std::shared_ptr<const DraftLibrary>>
openDraft(const Model &model, const std::string &path, int64_t vocabulary) {
  std::vector<int> now = allowedProcessors();
  stayOn(model.pool->processors());
  auto draft = DraftLibrary::open(path, model.pool->threads(), vocabulary);
  stayOn(now);
  return draft;
}

static Result<int> continuePrompts(Model &model, const Options &options) {
  Result<ContinuationSettings> settings = readSettings(model, options);
  if (!settings)
    return settings.error();
  Result<std::vector<Prompt>> prompts = readPrompts(options, *settings);
  if (!prompts)
    return prompts.error();
  Result<int64_t> batch = options.integer("batch", usualBatch, 1, INT32_MAX);
  if (!batch)
    return batch.error();
  if (settings->speculate > 0) {
    Result<Generator> generator = Generator::create(model, *settings->decoding, 1);
    if (Status status = generator ? generator->checkSideBySide() : generator.error(); !status)
      return Error{Code::Usage,
                   text("--%s: %s; leave it out", options.has("speculate") ? "speculate" : "draft",
                        status.error().message.c_str())};
    if (options.has("draft")) {
      auto draft = openDraft(model, options.string("draft"), generator->vocabulary());
      if (!draft)
        return draft.error();
      settings->draft = std::move(*draft);
    }
  }
  TextOutput printed(settings->tokenizer.get(), *prompts);
  JsonOutput json(*settings, *prompts);
  TextListener &listener = options.has("json") ? static_cast<TextListener &>(json) : printed;
  Result<ContinuationTotals> made =
      continueAll(model, *settings, *prompts, static_cast<size_t>(*batch), listener);
  printed.stop();
  if (!made)
    return made.error();
  warnOfFull(model.facts, *settings, prompts->size(), made->full);
  if (!options.has("quiet") && made->tokens > 1)
    report(model, settings->speculate > 0, prompts->size(), *made);
  return 0;
}

static Result<int> generate(Model &model, const Options &options) {
  if (Status status = checkInputs(model.facts, options); !status)
    return status.error();
  return searches(options) ? findMostLikely(model, options) : continuePrompts(model, options);
}

static bool understands(const Facts &facts, std::string_view option) {
  auto some = [&](auto takes) {
    return std::any_of(facts.decodings.begin(), facts.decodings.end(), takes);
  };
  if (std::find(std::begin(promptOptions), std::end(promptOptions), option) !=
      std::end(promptOptions))
    return some([&](const Decoding &decoding) { return givenInputsOf(facts, decoding).empty(); });
  if (option == "source" || option == "source-file" || option == "source-tokenizer")
    return some([&](const Decoding &decoding) { return takesSource(facts, decoding); });
  return option != "inputs" ||
         some([&](const Decoding &decoding) { return !givenInputsOf(facts, decoding).empty(); });
}

Command weft::runtime::generateCommand() {
  return {
      "generate",
      "continue prompts, or translate",
      "Prints each prompt and what the model makes of it. Without --temperature, --top-k, --top-p, "
      "--min-p or --seed it takes\nthe most likely token each time.\nWith --beam, "
      "--length-penalty, "
      "--end or --suppress it searches for the most likely continuation, and prints a line for "
      "each.",
      {checkpointOption(),
       {"prompt", "TEXT...", "what to go on from; may be repeated"},
       {"prompt-file", "FILE...", "a prompt on each line; - for standard input; may be repeated"},
       {"samples", "N",
        "so many continuations of each prompt, drawn with seeds one behind the other"},
       {"batch", "N",
        "how many texts to continue side by side, each as if it were alone (default 8)"},
       {"json", "", "a line of JSON for each text, when it is done"},
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
       {"draft", "LIBRARY.so",
        "a smaller model of the same vocabulary says what may follow, --speculate of them (4)"},
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
