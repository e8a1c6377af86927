// `OUT eval`: the mean loss on a text or on recorded batches.
#include "runtime/data/DataSource.h"
#include "runtime/json/Json.h"
#include "runtime/program/Command.h"
#include "runtime/training/LoadWeights.h"
#include "runtime/training/Trainer.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {
/// A sum of losses, weighted by rows.
struct Total {
  double loss = 0;
  int64_t rows = 0, tokens = 0;
};
} // namespace

/// Runs the entry on what `fill` puts in, and adds its loss.
template <class Fill> static Status add(EntryRun &run, int64_t rows, Fill fill, Total &total) {
  if (Status status = fill(); !status)
    return status;
  if (Status status = run.run(); !status)
    return status;
  total.loss += static_cast<double>(*run.output<float>(lossOutputOf(run.entry()))) *
                static_cast<double>(rows);
  total.rows += rows;
  total.tokens += run.tokens();
  return success();
}

static Status resize(EntryRun &run, const DataSource &data, int64_t rows) {
  run.forgetSizes();
  if (Status status = data.setSizes(run, rows); !status)
    return status;
  return run.allocate();
}

/// The loss over all there is: every recorded batch, or every row of a text.
static Result<Total> measure(EntryRun &run, const DataSource &data, int64_t batch) {
  Total total;
  if (data.mostSteps() > 0) {
    if (Status status = resize(run, data, data.fixedBatch()); !status)
      return status.error();
    for (int64_t step = 1; step <= data.mostSteps(); ++step)
      if (Status status = add(
              run, data.fixedBatch(),
              [&] {
                return data.fillTraining(run, {step, data.fixedBatch(), 0, data.fixedBatch()});
              },
              total);
          !status)
        return status.error();
    return total;
  }
  int64_t allocated = 0;
  for (int64_t first = 0; first < data.validationRows(); first += batch) {
    int64_t rows = std::min(batch, data.validationRows() - first);
    if (rows != allocated)
      if (Status status = resize(run, data, rows); !status)
        return status.error();
    allocated = rows;
    if (Status status = add(
            run, rows, [&] { return data.fillValidation(run, first, rows); }, total);
        !status)
      return status.error();
  }
  return total;
}

static Result<int> evaluate(Model &model, const Options &options) {
  if (model.facts.trainings.empty())
    return Error{Code::Value,
                 "this program has no loss: its model has no entry made by `minimize`"};
  const Training &training = model.facts.trainings[0];
  Result<std::string> dataPath = options.need("data"), checkpoint = options.need("checkpoint");
  Result<int64_t> batch = options.integer("batch", 8, 1, INT32_MAX),
                  sequence = options.integer("seq", 0, 1, INT32_MAX);
  if (!dataPath || !checkpoint)
    return !dataPath ? dataPath.error() : checkpoint.error();
  if (!batch || !sequence)
    return !batch ? batch.error() : sequence.error();
  Result<std::string> tokenizer = loadWeights(model, *checkpoint);
  if (!tokenizer)
    return tokenizer.error();
  DataRequest request{*dataPath, options.string("tokenizer"), *tokenizer, *sequence, 0};
  request.allForValidation = !options.has("validation");
  request.trainTokenizer = false; // a tokenizer learned from another text would give other ids
  Result<std::unique_ptr<DataSource>> data = openData(model, training, request);
  if (!data)
    return data.error();
  EntryRun run(model, training.loss >= 0 ? training.loss : training.gradient);
  Result<Total> total = measure(run, **data, *batch);
  if (!total)
    return total.error();
  if (total->rows == 0)
    return Error{Code::Value,
                 text("%s: its validation part is shorter than one sequence", dataPath->c_str())};
  double loss = total->loss / static_cast<double>(total->rows);
  if (options.has("json")) {
    Json line{{"loss", loss}, {"perplexity", std::exp(loss)}, {"tokens", total->tokens}};
    puts(jsonText(line).c_str());
    return 0;
  }
  printf("loss %.6f  perplexity %.4f  %lld tokens\n", loss, std::exp(loss),
         static_cast<long long>(total->tokens));
  return 0;
}

Command weft::runtime::evalCommand() {
  return {
      "eval",
      "the mean loss on a text or on recorded batches",
      "Prints the mean loss, its exponential, and over how many tokens. A text is cut into windows "
      "that touch.",
      {{"data", "KIND:PATH", "text:FILE or tensors:FILE.safetensors"},
       checkpointOption(),
       {"validation", "", "only the last tenth of the text, which a training on it has not seen"},
       {"batch", "B", "rows at a time (default 8)"},
       {"seq", "T", "tokens of a row (default: as many as the model allows)"},
       {"tokenizer", "KIND", "byte, merges:FILE or a saved FILE, where the checkpoint has none"},
       {"json", "", "a JSON line instead of text"}},
      evaluate};
}
