// Running the gradient and update entries.
#include "runtime/training/Trainer.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

Trainer::Trainer(Model &model, const Training &training, const DataSource &data,
                 const TrainSettings &settings)
    : model(model), training(training), data(data), settings(settings),
      gradient(model, training.gradient), update(model, training), arithmetic(model) {}

Result<std::unique_ptr<Trainer>> Trainer::create(Model &model, const Training &training,
                                                 const DataSource &data,
                                                 const TrainSettings &settings) {
  std::unique_ptr<Trainer> trainer(new Trainer(model, training, data, settings));
  for (auto prepare : {&Trainer::checkMemory, &Trainer::prepareGradient, &Trainer::prepareUpdate,
                       &Trainer::prepareEvaluation})
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
      int number = static_cast<int>(i);
      if (gradient.entry().outputs[i].gradientOf.empty())
        continue;
      int64_t count = gradient.outputCount(number);
      Result<Mirror> sum =
          Mirror::create(model.memory(), count * bytesOf(Element::Float), "the sum of gradients");
      if (!sum)
        return sum.error();
      sums[i] = std::move(*sum);
      if (Status status = sums[i].place(); !status)
        return status;
      gradients.push_back({&gradient.lendOutput(number), count});
      summed.push_back({&sums[i], count});
    }
  }
  return update.bind(gradient, sums);
}

Status Trainer::prepareEvaluation() {
  int64_t rows = data.validationRows();
  if (rows == 0 || settings.evaluateEvery == 0 || settings.evaluateBatches == 0)
    return success();
  evaluation.emplace(model, training, data);
  evaluation->packInWork(); // parameters change from one to the next
  return evaluation->allocate(std::min(rows, settings.batch / settings.accumulate));
}

/// Error: a batch holds NaN, so that its loss says nothing of the training. Infinity may be meant,
/// as in a mask.
static Status hasNumbers(EntryRun &run, int64_t step) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  auto isNaN = [](float value) { return std::isnan(value); };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (int number = static_cast<int>(i);
        inputs[i].element == Element::Float &&
        std::any_of(run.input<float>(number), run.input<float>(number) + run.inputCount(number),
                    isNaN))
      return Error{Code::Value, text("the loss of step %lld is no number: `%s` of its batch holds "
                                     "NaN; mend the data",
                                     wide(step), inputs[i].name.c_str())};
  return success();
}

Status Trainer::fill(int64_t step, int64_t part) {
  int64_t rows = settings.batch / settings.accumulate;
  if (staged != std::pair{step, part})
    if (Status status = data.fillTraining(gradient, {step, settings.batch, part * rows, rows});
        !status)
      return status;
  staged = {step, part};
  return success();
}

/// Writes the inputs of what comes behind, while a device computes. What is wrong with them is said
/// when it is their turn.
void Trainer::stageBehind(int64_t step, int64_t part) {
  bool isLast = part + 1 == settings.accumulate;
  if (!model.device || (isLast && step == settings.steps))
    return;
  if (Status status = isLast ? fill(step + 1, 0) : fill(step, part + 1); !status)
    staged = {-1, -1};
}

/// The gradients of a part of the batch of a step.
Result<Measures> Trainer::runPart(int64_t step, int64_t part) {
  if (Status status = fill(step, part); !status)
    return status.error();
  auto draws = static_cast<uint64_t>((step - 1) * settings.accumulate +
                                     part); // each part its own random numbers
  Status status = gradient.begin(settings.seed, draws);
  if (status) {
    stageBehind(step, part);
    status = gradient.finish();
  }
  if (!status)
    return Error{status.error().code,
                 text("%s, in the batch of step %lld of %s", status.error().message.c_str(),
                      wide(step), settings.data.c_str())};
  Result<Measures> measures = measuresOf(gradient);
  if (measures && !std::isfinite(measures->loss)) {
    if (Status again = fill(step, part); !again) // the inputs may be those of what comes behind
      return again.error();
    if (Status numbers = hasNumbers(gradient, step); !numbers)
      return numbers.error();
  }
  return measures;
}

Result<Trainer::Outcome> Trainer::step(int64_t step) {
  Measures sum;
  double counted = 0;
  bool isOfNothing = true; // `count` is 0 in all parts
  int64_t parts = settings.accumulate;
  for (int64_t part = 0; part < parts; ++part) {
    Result<Measures> measured = runPart(step, part);
    if (!measured)
      return measured.error();
    bool weighs = parts > 1 && measured->count;
    double share = weighs ? *measured->count : 1 / static_cast<double>(parts);
    counted += weighs ? share : 0;
    isOfNothing &= measured->count == 0;
    sum.add(*measured, share);
    if (parts > 1)
      if (Status status =
              arithmetic.add(summed, gradients, static_cast<float>(share), /*first=*/part == 0);
          !status)
        return status.error();
  }
  Measures measures;
  measures.add(sum, counted > 0 ? 1 / counted : 1);
  if (counted > 0)
    if (Status status = arithmetic.scale(summed, static_cast<float>(1 / counted)); !status)
      return status.error();
  if (!std::isfinite(measures.loss))
    return diverged("loss", step, measures.loss);
  Result<Update::Outcome> updated = update.apply(settings.seed, step, settings.steps);
  if (!updated)
    return updated.error();
  if (isOfNothing)
    measures.forget();
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
  for (const Mirror &sum : sums)
    bytes += sum.size();
  return bytes;
}
