// Means over runs, weighted by what each is the mean of.
#include "runtime/training/Evaluation.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

Evaluation::Evaluation(Model &model, const Training &training, const DataSource &data)
    : run(model, training.loss >= 0 ? training.loss : training.gradient), data(data) {}

Measures Evaluation::mean() const {
  Measures mean;
  mean.add(sum, 1 / weights);
  if (counts)
    mean.count = weights;
  return mean;
}

void Evaluation::clear() {
  sum = {};
  weights = 0;
  rows = tokens = 0;
  immeasurable = {};
}

Status Evaluation::allocate(int64_t count) {
  if (count == allocated)
    return success();
  if (Status status = count > allocated ? checkMemory(count) : success(); !status)
    return status;
  run.forgetSizes();
  if (Status status = data.setSizes(run, count); !status)
    return status;
  allocated = count;
  Status status = run.allocate();
  return status ? status : Status(data.explained(status.error()));
}

/// Runs on what the inputs hold.
Status Evaluation::addRun(int64_t count, double weight) {
  if (Status status = run.run(); !status)
    return status;
  Result<Measures> measured = measuresOf(run);
  if (!measured)
    return measured.error();
  double share = measured->count.value_or(weight);
  sum.add(*measured, share);
  weights += share;
  counts = measured->count.has_value();
  if (share != 0 && !std::isfinite(measured->loss) && immeasurable.end == 0)
    immeasurable = {rows, rows + count};
  rows += count;
  tokens += run.tokens();
  return success();
}

Status Evaluation::measureRows(Split split, int64_t first, int64_t count, int64_t part) {
  for (int64_t end = first + count; first < end; first += part) {
    int64_t now = std::min(part, end - first);
    if (Status status = allocate(now); !status)
      return status;
    if (Status status = data.fill(run, split, first, now); !status)
      return status;
    if (Status status = addRun(now, data.weight(split, first, now)); !status)
      return status;
  }
  return success();
}

Status Evaluation::measureAll(Split split, int64_t batch) {
  return measureRows(split, 0, data.rows(split), batch);
}

Status Evaluation::measureSample(Split split, Sample sample) {
  int64_t all = data.rows(split), last = all - sample.batch;
  if (all / sample.batch < sample.batches) // no more than that, or just a part of one
    return measureRows(split, 0, all, sample.part);
  for (int64_t i = 0; i < sample.batches; ++i) {
    int64_t first = sample.batches > 1 ? last * i / (sample.batches - 1) : 0;
    if (Status status = measureRows(split, first, sample.batch, sample.part); !status)
      return status;
  }
  return success();
}

Status Evaluation::measureRecord() {
  int64_t batch = data.fixedBatch();
  if (Status status = allocate(batch); !status)
    return status;
  for (int64_t step = 1; step <= data.mostSteps(); ++step) {
    if (Status status = data.fillTraining(run, {step, batch, 0, batch}); !status)
      return status;
    if (Status status = addRun(batch, static_cast<double>(batch)); !status)
      return Error{status.error().code, text("%s, in the batch of step %lld",
                                             status.error().message.c_str(), wide(step))};
  }
  return success();
}
