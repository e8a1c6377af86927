// Running the gradient and update entries.
#include "runtime/training/Trainer.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

Trainer::Trainer(Model &model, const Training &training, const DataSource &data,
                 const TrainSettings &settings)
    : model(model), training(training), data(data), settings(settings),
      gradient(model, training.gradient), update(model, training.update) {}

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
  return gradient.allocate();
}

Status Trainer::prepareUpdate() {
  const std::vector<Argument> &outputs = gradient.entry().outputs;
  for (const Argument &input : update.entry().inputs) {
    auto found = std::find_if(outputs.begin(), outputs.end(),
                              [&](const Argument &o) { return o.gradientOf == input.name; });
    bool isScalar = input.name == "step" || input.name == "steps";
    if (found == outputs.end() && !isScalar)
      return Error{Code::Internal, text("%s needs the gradient of `%s`, which %s does not give",
                                        update.entry().name.c_str(), input.name.c_str(),
                                        gradient.entry().name.c_str())};
    gradientOutputs.push_back(found == outputs.end() ? -1
                                                     : static_cast<int>(found - outputs.begin()));
  }
  sums.resize(gradientOutputs.size());
  for (size_t i = 0; i < gradientOutputs.size(); ++i) {
    int output = gradientOutputs[i];
    if (output < 0)
      continue;
    if (settings.accumulate == 1) {
      update.useInput(static_cast<int>(i), gradient.output(output));
      continue;
    }
    Result<Block> sum = Block::create(gradient.outputCount(output) * bytesOf(Element::Float),
                                      "the sum of gradients");
    if (!sum)
      return sum.error();
    sums[i] = std::move(*sum);
    update.useInput(static_cast<int>(i), sums[i].data());
  }
  return update.allocate();
}

Status Trainer::prepareEvaluation() {
  int64_t rows = data.validationRows();
  if (rows == 0 || settings.evaluateEvery == 0 || settings.evaluateBatches == 0)
    return success();
  evaluation.emplace(model, training.loss >= 0 ? training.loss : training.gradient);
  evaluationRows = std::min(rows, settings.batch / settings.accumulate);
  if (Status status = data.setSizes(*evaluation, evaluationRows); !status)
    return status;
  return evaluation->allocate();
}

/// Adds a part's gradients to the sums; the first part sets them.
void Trainer::accumulate(int part) {
  float share = 1.0f / static_cast<float>(settings.accumulate);
  for (size_t i = 0; i < gradientOutputs.size(); ++i) {
    if (gradientOutputs[i] < 0)
      continue;
    const float *values = gradient.output<float>(gradientOutputs[i]);
    auto *sum = reinterpret_cast<float *>(sums[i].data());
    int64_t count = gradient.outputCount(gradientOutputs[i]);
    for (int64_t j = 0; j < count; ++j)
      sum[j] = part == 0 ? values[j] * share : sum[j] + values[j] * share;
  }
}

/// Sets an argument that is a single number.
static void setNumber(EntryRun &run, int input, int64_t value) {
  if (run.entry().inputs[input].element == Element::Int)
    *run.input<int32_t>(input) = static_cast<int32_t>(value);
  else
    *run.input<float>(input) = static_cast<float>(value);
}

static double outputNamed(const EntryRun &run, const char *name) {
  int number = argumentNamed(run.entry().outputs, name);
  return number < 0 ? 0 : *run.output<float>(number);
}

static Error diverged(const char *what, int64_t step, double value) {
  return {Code::Value,
          text("the %s of step %lld is %s: the training has diverged; a lower learning rate or a "
               "longer warm-up may help",
               what, wide(step), std::isnan(value) ? "NaN" : "infinite")};
}

Result<Trainer::Outcome> Trainer::step(int64_t step) {
  Measures measures;
  int64_t rows = settings.batch / settings.accumulate;
  for (int64_t part = 0; part < settings.accumulate; ++part) {
    if (Status status = data.fillTraining(gradient, {step, settings.batch, part * rows, rows});
        !status)
      return status.error();
    auto draws = static_cast<uint64_t>((step - 1) * settings.accumulate +
                                       part); // each part its own random numbers
    if (Status status = gradient.run(settings.seed, draws); !status)
      return status.error();
    Result<Measures> measured = measuresOf(gradient);
    if (!measured)
      return measured.error();
    measures.add(*measured, 1 / static_cast<double>(settings.accumulate));
    if (settings.accumulate > 1)
      accumulate(static_cast<int>(part));
  }
  if (!std::isfinite(measures.loss))
    return diverged("loss", step, measures.loss);
  for (size_t i = 0; i < gradientOutputs.size(); ++i)
    if (gradientOutputs[i] < 0)
      setNumber(update, static_cast<int>(i),
                update.entry().inputs[i].name == "step" ? step : settings.steps);
  if (Status status = update.run(settings.seed, static_cast<uint64_t>(step)); !status)
    return status.error();
  model.parameters.changed();
  double norm = outputNamed(update, "norm");
  if (!std::isfinite(norm)) // the parameters are no numbers any more: no checkpoint may follow
    return diverged("gradient", step, norm);
  return Outcome{std::move(measures), norm, outputNamed(update, "rate")};
}

Result<std::optional<Measures>> Trainer::evaluate() {
  if (!evaluation)
    return std::optional<Measures>();
  int64_t batches = std::min(settings.evaluateBatches, data.validationRows() / evaluationRows);
  int64_t last = data.validationRows() - evaluationRows;
  Measures mean;
  for (int64_t i = 0; i < batches; ++i) { // spread over the whole validation part
    int64_t first = batches > 1 ? last * i / (batches - 1) : 0;
    if (Status status = data.fillValidation(*evaluation, first, evaluationRows); !status)
      return status.error();
    if (Status status = evaluation->run(settings.seed); !status)
      return status.error();
    Result<Measures> measured = measuresOf(*evaluation);
    if (!measured)
      return measured.error();
    mean.add(*measured, 1 / static_cast<double>(batches));
  }
  return std::optional<Measures>(std::move(mean));
}

int64_t Trainer::tokensPerStep() const {
  int64_t tokens = gradient.tokens();
  return tokens > 0 ? tokens * settings.accumulate : settings.batch;
}

int64_t Trainer::memory() const {
  int64_t bytes =
      gradient.arenaBytes() + gradient.packedBytes() + update.arenaBytes() + update.packedBytes();
  for (size_t i = 0; i < gradient.entry().outputs.size(); ++i)
    bytes += gradient.outputCount(static_cast<int>(i)) * 4;
  for (const Block &sum : sums)
    bytes += sum.size();
  return bytes;
}
