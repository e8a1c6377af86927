// `OUT eval`: the mean loss on some data.
#include "runtime/data/OpenData.h"
#include "runtime/json/Json.h"
#include "runtime/program/Command.h"
#include "runtime/training/Evaluation.h"
#include "runtime/training/LoadWeights.h"
#include "runtime/training/Settings.h"
#include "runtime/training/TrainingFor.h"

#include <cmath>

using namespace weft::runtime;

/// Of a text, the loss is that of a token, and its exponential says more.
static void print(const Evaluation &evaluation, const Training &training, bool json) {
  bool isText = training.dataKind == "text";
  Measures mean = evaluation.mean();
  if (json) {
    Json line{{"loss", mean.loss}, {"rows", evaluation.rows}};
    for (size_t i = 0; i < training.metrics.size(); ++i)
      line[training.metrics[i]] = mean.metrics[i];
    if (mean.count)
      line["count"] = *mean.count;
    if (isText) {
      line["perplexity"] = std::exp(mean.loss);
      line["tokens"] = evaluation.tokens;
    }
    puts(jsonText(line).c_str());
    return;
  }
  printf("loss %.6f", mean.loss);
  if (isText)
    printf("  perplexity %.4f", std::exp(mean.loss));
  for (size_t i = 0; i < training.metrics.size(); ++i)
    printf("  %s %.6f", training.metrics[i].c_str(), mean.metrics[i]);
  printf("  %lld %s\n", wide(isText ? evaluation.tokens : evaluation.rows),
         isText ? "tokens" : "rows");
}

static Result<int> evaluate(Model &model, const Options &options) {
  if (model.facts.trainings.empty())
    return Error{Code::Value,
                 "this program has no loss: its model has no entry made by `minimize`"};
  Result<std::string> dataPath = options.need("data");
  Result<int64_t> batch = options.integer("batch", 8, 1, INT32_MAX);
  if (!dataPath)
    return dataPath.error();
  if (!batch)
    return batch.error();
  Result<LoadedWeights> loaded = loadOrCarried(model, options.string("checkpoint"), "checkpoint");
  if (!loaded)
    return loaded.error();
  Result<const Training *> chosen =
      trainingFor(model.facts.trainings, options.string("training"), loaded->state, "training");
  if (!chosen)
    return chosen.error();
  const Training &training = **chosen;
  DataRequest request;
  request.data = *dataPath;
  request.options =
      withTrainingOptions(readDataOptions(options), *dataPath, trainingDataOptions(loaded->state));
  request.checkpoint = loaded->checkpoint;
  if (!options.has("checkpoint"))
    request.tokenizer = model.carried->tokenizer();
  request.allForValidation = !options.has("validation");
  request.learns = false; // a tokenizer learned from another text would give other ids
  Result<std::unique_ptr<DataSource>> data = openData(model, training, request);
  if (!data)
    return data.error();
  if ((*data)->fixedBatch() > 0 && (options.has("batch") || options.has("validation")))
    return Error{Code::Usage, text("--batch and --validation go with text:FILE; %s is evaluated "
                                   "batch by batch",
                                   dataPath->c_str())};
  Evaluation evaluation(model, training, **data);
  if (Status status = (*data)->mostSteps() > 0 ? evaluation.measureRecord()
                                               : evaluation.measureAll(Split::Validation, *batch);
      !status)
    return status.error();
  if (evaluation.rows == 0)
    return Error{Code::Value, text("%s: has nothing to validate on", dataPath->c_str())};
  if (evaluation.weight() == 0)
    return Error{Code::Value,
                 text("%s: `count` is 0 in every batch: a mean over nothing", dataPath->c_str())};
  if (std::string picture = options.string("samples"); !picture.empty())
    if (Status status = (*data)->drawSamples(model, Split::Validation, picture); !status)
      return status.error();
  print(evaluation, training, options.has("json"));
  return 0;
}

Command weft::runtime::evalCommand() {
  return {
      "eval", "the mean loss, and what is measured beside it",
      "Prints the mean loss, what is measured beside it, and over how many rows; of a text also "
      "the exponential of\nthe loss, and tokens. A text is cut into windows that touch. Of images, "
      "those to\ntest on, where they are apart.",
      withDataOptions(
          {{"data", "KIND:PATH", "what to measure on, as `train` takes it"},
           checkpointOption(),
           {"training", "NAME",
            "whose loss, where the model has several (default: the checkpoint's)"},
           {"validation", "", "only what is held out to validate on (of a text, its last tenth)"},
           {"batch", "B", "rows at a time (default 8)"},
           {"samples", "FILE.svg", "draw images with what the model says of them"},
           tokenizerOption(),
           jsonOption()}),
      evaluate};
}
