// Running the gradient and update entries.
#include "runtime/training/Trainer.h"

#include "runtime/training/Magnitude.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

Trainer::Trainer(Model &model, const Training &training, const DataSource &data,
                 const TrainSettings &settings)
    : model(model), training(training), data(data), settings(settings),
      gradient(model, training.gradient), update(model, training) {}

Result<std::unique_ptr<Trainer>> Trainer::create(Model &model, const Training &training,
                                                 const DataSource &data,
                                                 const TrainSettings &settings) {
  std::unique_ptr<Trainer> trainer(new Trainer(model, training, data, settings));
  for (auto prepare :
       {&Trainer::prepareGradient, &Trainer::prepareUpdate, &Trainer::prepareEvaluation})
    if (Status status = ((*trainer).*prepare)(); !status)
      return status.error();
  return trainer;
}

Status Trainer::prepareGradient() {
  if (Status status = data.setSizes(gradient, settings.batch / settings.accumulate); !status)
    return status;
  Status status = gradient.allocate();
  return status ? status : Status(data.explained(status.error()));
}

Status Trainer::prepareUpdate() {
  if (settings.accumulate > 1) {
    sums.resize(gradient.entry().outputs.size());
    for (size_t i = 0; i < sums.size(); ++i) {
      if (gradient.entry().outputs[i].gradientOf.empty())
        continue;
      Result<Block> sum =
          Block::create(gradient.outputCount(static_cast<int>(i)) * bytesOf(Element::Float),
                        "the sum of gradients");
      if (!sum)
        return sum.error();
      sums[i] = std::move(*sum);
    }
  }
  return update.bind(gradient, sums);
}

Status Trainer::prepareEvaluation() {
  int64_t rows = data.validationRows();
  if (rows == 0 || settings.evaluateEvery == 0 || settings.evaluateBatches == 0)
    return success();
  evaluation.emplace(model, training, data);
  return evaluation->allocate(std::min(rows, settings.batch / settings.accumulate));
}

/// Adds a share of a part's gradients to the sums; the first part sets them. A share of 0 is 0, be
/// the gradient NaN.
void Trainer::accumulate(bool first, float share) {
  for (size_t i = 0; i < sums.size(); ++i) {
    auto *sum = reinterpret_cast<float *>(sums[i].data());
    if (!sum)
      continue;
    const float *values = gradient.output<float>(static_cast<int>(i));
    int64_t count = gradient.outputCount(static_cast<int>(i));
    if (first)
      std::fill_n(sum, count, 0.0f);
    for (int64_t j = 0; j < count && share != 0; ++j)
      sum[j] += values[j] * share;
  }
}

void Trainer::scaleSums(float factor) {
  for (size_t i = 0; i < sums.size(); ++i)
    if (auto *sum = reinterpret_cast<float *>(sums[i].data()))
      for (int64_t j = 0; j < gradient.outputCount(static_cast<int>(i)); ++j)
        sum[j] *= factor;
}

/// Error: a batch holds NaN, so that its loss says nothing of the training. Infinity may be meant,
/// as in a mask.
static Status hasNumbers(Pool &pool, EntryRun &run, int64_t step) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (int number = static_cast<int>(i);
        inputs[i].element == Element::Float &&
        std::isnan(largestMagnitude(pool, run.input<float>(number), run.inputCount(number))))
      return Error{Code::Value, text("the loss of step %lld is no number: `%s` of its batch holds "
                                     "NaN; mend the data",
                                     wide(step), inputs[i].name.c_str())};
  return success();
}

/// The gradients of a part of the batch of a step.
Result<Measures> Trainer::runPart(int64_t step, int64_t part) {
  int64_t rows = settings.batch / settings.accumulate;
  if (Status status = data.fillTraining(gradient, {step, settings.batch, part * rows, rows});
      !status)
    return status.error();
  auto draws = static_cast<uint64_t>((step - 1) * settings.accumulate +
                                     part); // each part its own random numbers
  if (Status status = gradient.run(settings.seed, draws); !status)
    return Error{status.error().code,
                 text("%s, in the batch of step %lld of %s", status.error().message.c_str(),
                      wide(step), settings.data.c_str())};
  Result<Measures> measures = measuresOf(gradient);
  if (measures && !std::isfinite(measures->loss))
    if (Status status = hasNumbers(*model.pool, gradient, step); !status)
      return status.error();
  return measures;
}

Result<Trainer::Outcome> Trainer::step(int64_t step) {
  Measures sum;
  double counted = 0;
  int64_t parts = settings.accumulate;
  for (int64_t part = 0; part < parts; ++part) {
    Result<Measures> measured = runPart(step, part);
    if (!measured)
      return measured.error();
    bool weighs = parts > 1 && measured->count;
    double share = weighs ? *measured->count : 1 / static_cast<double>(parts);
    counted += weighs ? share : 0;
    sum.add(*measured, share);
    if (parts > 1)
      accumulate(part == 0, static_cast<float>(share));
  }
  Measures measures;
  measures.add(sum, counted > 0 ? 1 / counted : 1);
  if (counted > 0)
    scaleSums(static_cast<float>(1 / counted));
  if (!std::isfinite(measures.loss))
    return diverged("loss", step, measures.loss);
  Result<Update::Outcome> updated = update.apply(settings.seed, step, settings.steps);
  if (!updated)
    return updated.error();
  return Outcome{std::move(measures), updated->norm, updated->rate};
}

Result<std::optional<Measures>> Trainer::evaluate() {
  if (!evaluation)
    return std::optional<Measures>();
  evaluation->clear();
  if (Status status =
          evaluation->measureSample(Split::Validation, {settings.evaluateBatches, settings.batch,
                                                        settings.batch / settings.accumulate});
      !status)
    return status.error();
  if (evaluation->weight() == 0) // a mean over nothing
    return std::optional<Measures>();
  return std::optional<Measures>(evaluation->mean());
}

Trainer::Amount Trainer::amountOfStep() const {
  if (training.dataKind == "images")
    return {settings.batch, "images"};
  int64_t tokens = gradient.tokens();
  return tokens > 0 ? Amount{tokens * settings.accumulate, "tokens"}
                    : Amount{settings.batch, "rows"};
}

int64_t Trainer::memory() const {
  int64_t bytes = gradient.arenaBytes() + gradient.packedBytes() + update.memory();
  const std::vector<Argument> &outputs = gradient.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    bytes += gradient.outputCount(static_cast<int>(i)) * bytesOf(outputs[i].element);
  for (const Block &sum : sums)
    bytes += sum.size();
  return bytes;
}
