// Whether a training fits the memory of a device, and with which batch it would.
#include "runtime/model/Slices.h"
#include "runtime/training/Trainer.h"

#include <algorithm>

using namespace weft::runtime;

/// Bytes that a training takes on the device, where that many rows are computed at a time;
/// INT64_MAX where sizes do not go together.
int64_t Trainer::bytesFor(int64_t rows) const {
  int64_t bytes = model.parameters.bytesToPlace() + update.bytesToBind();
  EntryRun trial(model, training.gradient);
  Result<Sizes> sizes = data.setSizes(trial, rows) ? trial.settle() : Error{Code::Size, ""};
  if (!sizes)
    return INT64_MAX;
  bytes += trial.bytesAt(*sizes);
  for (const Argument &output : trial.entry().outputs)
    if (settings.accumulate > 1 && !output.gradientOf.empty())
      bytes += sizes->count(output.dims) * bytesOf(output.element);
  int64_t validated = std::min(data.validationRows(), rows);
  if (validated == 0 || settings.evaluateEvery == 0 || settings.evaluateBatches == 0)
    return bytes;
  EntryRun measured(model, training.loss >= 0 ? training.loss : training.gradient);
  if (!data.setSizes(measured, validated))
    return INT64_MAX;
  Result<Sizes> those = measured.settle();
  return those ? bytes + measured.bytesAt(*those) : INT64_MAX;
}

/// Error: the device has not so much memory; what would fit.
Status Trainer::checkMemory() {
  if (!model.device)
    return success();
  int64_t free = model.device->freeMemory(), rows = settings.batch / settings.accumulate,
          needed = bytesFor(rows);
  if (needed == INT64_MAX || needed <= free) // other sizes are refused where they are asked for
    return success();
  int64_t fits = 0;
  for (int64_t least = 1, most = rows - 1; least <= most;) {
    int64_t middle = least + (most - least) / 2;
    if (bytesFor(middle) <= free)
      fits = middle, least = middle + 1;
    else
      most = middle - 1;
  }
  const char *here = forProcessors(model.programs) ? ", or take --device cpu" : "";
  std::string advice = text("--batch %lld fits", wide(fits * settings.accumulate));
  int64_t parts = settings.accumulate;
  while (fits > 0 && (settings.batch % parts != 0 || settings.batch / parts > fits))
    ++parts;
  if (fits > 0)
    advice +=
        text(", or --accumulate %lld, by which the same batch is taken in parts", wide(parts));
  if (fits == 0)
    advice = text("not even one row fits: take shorter sequences or a smaller model%s", here);
  else if (data.fixedBatch() > 0)
    advice = text("%lld would fit: record smaller batches%s", wide(fits), here);
  return Error{Code::Memory, text("training on batches of %lld takes %s of %s, which has %s "
                                  "left of %s; %s",
                                  wide(rows), bytesText(needed).c_str(),
                                  model.device->title().c_str(), bytesText(free).c_str(),
                                  bytesText(model.device->facts().memory).c_str(), advice.c_str())};
}
