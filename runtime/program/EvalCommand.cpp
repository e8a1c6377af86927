// `OUT eval`: the mean loss on some data.
#include "runtime/base/Json.h"
#include "runtime/data/OpenData.h"
#include "runtime/program/Command.h"
#include "runtime/program/Translating.h"
#include "runtime/training/Evaluation.h"
#include "runtime/training/Settings.h"
#include "runtime/training/checkpoint/LoadWeights.h"
#include "runtime/training/checkpoint/TrainingFor.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

/// Of a text, the loss is that of a token, and its exponential says more.
static void print(const Evaluation &evaluation, const Training &training, const Json &more,
                  bool json) {
  bool isText = training.dataKind == "text", isWords = isText || training.dataKind == "pairs";
  Measures mean = evaluation.mean();
  if (json) {
    Json line = jsonObject({{"loss", mean.loss}, {"rows", evaluation.rows}});
    for (size_t i = 0; i < training.metrics.size(); ++i)
      line[training.metrics[i]] = mean.metrics[i];
    if (mean.count)
      line["count"] = *mean.count;
    if (isWords)
      line["perplexity"] = std::exp(mean.loss);
    if (isText)
      line["tokens"] = evaluation.tokens;
    line.update(more);
    puts(jsonText(line).c_str());
    return;
  }
  printf("loss %.6f", mean.loss);
  if (isWords)
    printf("  perplexity %.4f", std::exp(mean.loss));
  for (size_t i = 0; i < training.metrics.size(); ++i)
    printf("  %s %.6f", training.metrics[i].c_str(), mean.metrics[i]);
  printf("  %lld %s\n", wide(isText ? evaluation.tokens : evaluation.rows),
         isText ? "tokens" : "rows");
}

/// Which part of the data: all of it where nothing is said, then called the validation part.
static Result<Split> splitOf(const Options &options) {
  if (options.has("on") && options.has("validation"))
    return Error{Code::Usage, "--validation is --on validation: give one of them"};
  std::string name = options.string("on", "validation");
  for (auto [known, split] :
       {std::pair{"train", Split::Train}, {"validation", Split::Validation}, {"test", Split::Test}})
    if (name == known)
      return split;
  return Error{Code::Usage, text("--on %s: expected train, validation or test", name.c_str())};
}

/// What is for translations, of which there are none without --bleu.
static constexpr std::string_view translationOptions[] = {"beam", "length-penalty", "entry",
                                                          "translations"};

static Status checkScored(const Options &options) {
  for (std::string_view name : translationOptions)
    if (options.has(name.data()) && !options.has("bleu"))
      return Error{Code::Usage,
                   text("--%s is for translations, which --bleu asks for", name.data())};
  return success();
}

static Result<int> evaluate(Model &model, const Options &options) {
  if (model.facts.trainings.empty())
    return Error{Code::Value,
                 "this program has no loss: its model has no entry made by `minimize`"};
  if (Status status = checkScored(options); !status)
    return status.error();
  Result<std::string> dataPath = options.need("data");
  Result<int64_t> batch = options.integer("batch", 8, 1, INT32_MAX);
  Result<Split> split = splitOf(options);
  if (!dataPath)
    return dataPath.error();
  if (!batch || !split)
    return !batch ? batch.error() : split.error();
  Result<LoadedWeights> loaded =
      loadOrCarried(model, options.string("checkpoint"), "checkpoint", anyUse);
  if (!loaded)
    return loaded.error();
  Result<const Training *> chosen =
      trainingFor(model.facts.trainings, options.string("training"), loaded->state, "training");
  if (!chosen)
    return chosen.error();
  const Training &training = **chosen;
  DataRequest request;
  request.data = *dataPath;
  DataOptions given = readDataOptions(options), before = trainingDataOptions(loaded->state);
  for (const auto &[name, value] : given)
    if (isAugmentation(name))
      return Error{Code::Usage,
                   text("--%s changes rows in training alone; they are measured as they "
                        "are: leave it out",
                        name.c_str())};
  request.options = withTrainingOptions(given, *dataPath, before);
  if (loaded->state.contains("training"))
    for (const std::string &sentence : preprocessedOtherwise(given, *dataPath, before))
      fprintf(stderr, "warning: %s\n", sentence.c_str());
  request.checkpoint = loaded->checkpoint;
  request.carried = loaded->carried;
  request.state = &loaded->state;
  request.allForValidation = !options.has("validation") && !options.has("on");
  request.learns = false; // a tokenizer learned from another text would give other ids
  Result<std::unique_ptr<DataSource>> data = openData(model, training, request);
  if (!data)
    return data.error();
  if (Status status = checkOutputs(options, {"samples", "translations"}); !status)
    return status.error();
  if ((*data)->fixedBatch() > 0 && (options.has("batch") || !request.allForValidation))
    return Error{Code::Usage, text("%s is evaluated batch by batch, all of it: leave --batch, --on "
                                   "and --validation out",
                                   dataPath->c_str())};
  Evaluation evaluation(model, training, **data);
  if (Status status = (*data)->mostSteps() > 0 ? evaluation.measureRecord()
                                               : evaluation.measureAll(*split, *batch);
      !status)
    return status.error();
  if (evaluation.rows == 0)
    return Error{Code::Value, text("%s: has nothing to measure on", dataPath->c_str())};
  if (evaluation.weight() == 0)
    return Error{Code::Value,
                 text("%s: `count` is 0 in every batch: a mean over nothing", dataPath->c_str())};
  if (auto [first, end] = evaluation.immeasurable; end > 0) // as a training stops there
    return Error{Code::Value, text("%s: the loss of rows %lld to %lld is NaN or infinite",
                                   dataPath->c_str(), wide(first + 1), wide(end))};
  if (std::string picture = options.string("samples"); !picture.empty())
    if (Status status = (*data)->drawSamples(model, *split, picture); !status)
      return status.error();
  std::optional<ScoreReport> scores;
  if (options.has("bleu")) {
    Result<ScoreReport> scored = scoreTranslations(model, **data, *split, options);
    if (!scored)
      return scored.error();
    scores = *scored;
  }
  print(evaluation, training, scores ? scores->json : Json::object(), options.has("json"));
  if (scores && !options.has("json"))
    puts(scores->text.c_str());
  return 0;
}

/// What concerns the data, translations and pictures of a model that is trained on them; nothing
/// that only trainings do.
static bool understands(const Facts &facts, std::string_view option) {
  if (option == "bleu" ||
      std::ranges::find(translationOptions, option) != std::end(translationOptions))
    return scoresTranslations();
  if (isAugmentation(option) || !takesDataOption(facts, option))
    return false;
  return option != "samples" || imagesKind().reader.open;
}

Command weft::runtime::evalCommand() {
  return {
      "eval",
      "the mean loss, and what is measured beside it",
      "Prints the mean loss, what is measured beside it, and over how many rows; of a text also "
      "the exponential of\nthe loss, and tokens. A text is cut into windows that touch. Of images, "
      "those to\ntest on, where they are apart.",
      withDataOptions(
          {dataOption(),
           checkpointOption(),
           {"training", "NAME",
            "whose loss, where the model has several (default: the checkpoint's)"},
           {"validation", "", "only what is held out to validate on (of a text, its last tenth)"},
           {"on", "SPLIT", "only train, validation or test"},
           {"bleu", "", "also translate every source, greedily, and score it (pairs)"},
           {"beam", "K", "the same by beams"},
           {"length-penalty", "A", "scores of beams are divided by length^A (default 0)"},
           {"entry", "NAME", "which decoding translates, where the model has several"},
           {"translations", "FILE", "write each source, translation and references"},
           {"batch", "B", "rows at a time (default 8)"},
           {"samples", "FILE.svg", "draw images with what the model says of them"},
           tokenizerOption(),
           jsonOption()}),
      evaluate,
      true,
      understands,
      hasLoss};
}
