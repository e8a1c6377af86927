// Counting what would be allocated.
#include "runtime/training/DeviceMemory.h"

#include "runtime/training/Trainer.h"

#include <algorithm>

using namespace weft::runtime;

std::optional<Shortage> weft::runtime::shortageOf(Device &device, int64_t rows,
                                                  const BytesOfRows &bytesOf) {
  Shortage shortage{bytesOf(rows), device.freeMemory(), 0};
  if (shortage.needed == INT64_MAX || shortage.needed <= shortage.free)
    return std::nullopt;
  for (int64_t least = 1, most = rows - 1; least <= most;) {
    int64_t middle = least + (most - least) / 2;
    if (bytesOf(middle) <= shortage.free)
      shortage.fits = middle, least = middle + 1;
    else
      most = middle - 1;
  }
  return shortage;
}

std::string Shortage::text(const char *what, int64_t rows, const Device &device) const {
  return runtime::text("%s on batches of %lld takes %s of %s, which has %s left of %s", what,
                       wide(rows), bytesText(needed).c_str(), device.title().c_str(),
                       bytesText(free).c_str(), bytesText(device.facts().memory).c_str());
}

const char *weft::runtime::orHere(const Model &model) {
  return forProcessors(model.programs) ? ", or --device cpu" : "";
}

static int64_t bytesAt(EntryRun run, const DataSource &data, int64_t rows) {
  if (!data.setSizes(run, rows))
    return INT64_MAX;
  Result<Sizes> sizes = run.settle();
  return sizes ? run.bytesAt(*sizes) : INT64_MAX;
}

/// Bytes of a training that computes so many rows at a time; `inParts`: of several in a batch.
int64_t Trainer::bytesWith(int64_t rows, bool inParts) const {
  int64_t gradients = bytesAt(EntryRun(model, training.gradient), data, rows), losses = 0;
  if (int64_t measured = std::min(data.validationRows(), rows);
      measured > 0 && settings.evaluateEvery > 0 && settings.evaluateBatches > 0)
    losses = bytesAt(EntryRun(model, training.loss >= 0 ? training.loss : training.gradient), data,
                     measured);
  if (gradients == INT64_MAX || losses == INT64_MAX)
    return INT64_MAX;
  int64_t sums = inParts ? update.bytesOfGradients() : 0;
  return gradients + losses + sums + update.bytesToBind() + model.parameters.bytesToPlace();
}

/// Error: the device has not so much memory; what would fit.
Status Trainer::checkMemory() {
  if (!model.device)
    return success();
  int64_t parts = settings.accumulate, rows = settings.batch / parts;
  auto bytesNow = [&](int64_t count) { return bytesWith(count, parts > 1); };
  std::optional<Shortage> shortage = shortageOf(*model.device, rows, bytesNow);
  if (!shortage)
    return success();
  std::string advice = text("--batch %lld fits", wide(shortage->fits * parts));
  while (++parts <= settings.batch)
    if (settings.batch % parts == 0 && bytesWith(settings.batch / parts, true) <= shortage->free) {
      advice += text(", or --accumulate %lld, which takes the same batch in parts", wide(parts));
      break;
    }
  const char *here = orHere(model);
  if (shortage->fits == 0)
    advice = text("not one row fits: take shorter sequences or a smaller model%s", here);
  else if (data.fixedBatch() > 0)
    advice = text("%lld would fit: record smaller batches%s", wide(shortage->fits), here);
  return Error{Code::Memory, shortage->text("training", rows, *model.device) + "; " + advice};
}

/// The same of an evaluation.
Status Evaluation::checkMemory(int64_t count) const {
  Model &model = run.program();
  if (!model.device)
    return success();
  auto bytesOf = [&](int64_t rows_) {
    int64_t bytes = bytesAt(EntryRun(model, model.facts.entry(run.entry().name)), data, rows_);
    return bytes == INT64_MAX ? bytes : bytes + model.parameters.bytesToPlace(isWeight);
  };
  std::optional<Shortage> shortage = shortageOf(*model.device, count, bytesOf);
  if (!shortage)
    return success();
  std::string advice = shortage->fits > 0
                           ? text("--batch %lld fits", wide(shortage->fits))
                           : text("not one row fits: take shorter sequences%s", orHere(model));
  return Error{Code::Memory, shortage->text("a loss", count, *model.device) + "; " + advice};
}
