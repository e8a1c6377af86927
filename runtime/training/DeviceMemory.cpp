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
  shortage.fits = mostRows(rows, shortage.free, bytesOf);
  return shortage;
}

int64_t weft::runtime::mostRows(int64_t rows, int64_t free, const BytesOfRows &bytesOf) {
  int64_t fits = 0;
  for (int64_t least = 1, most = rows - 1; least <= most;) {
    int64_t middle = least + (most - least) / 2;
    if (bytesOf(middle) <= free)
      fits = middle, least = middle + 1;
    else
      most = middle - 1;
  }
  return fits;
}

std::string Shortage::text(const char *what, int64_t rows, const Device &device) const {
  return runtime::text("%s on batches of %lld takes %s of %s, which has %s left of %s", what,
                       wide(rows), bytesText(needed).c_str(), device.title().c_str(),
                       bytesText(free).c_str(), bytesText(device.facts().memory).c_str());
}

const char *weft::runtime::orHere(const Model &model) {
  return model.device && forProcessors(model.programs) ? ", or --device cpu" : "";
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

/// What to do where `fits` rows at a time are the most that fit into `room`.
std::string Trainer::adviceFor(int64_t fits, int64_t room,
                               const std::function<int64_t(int64_t, bool)> &bytesOf) const {
  const char *here = orHere(model);
  if (fits == 0)
    return text("not one row fits: take shorter sequences or a smaller model%s", here);
  if (data.fixedBatch() > 0)
    return text("%lld would fit: record smaller batches%s", wide(fits), here);
  int64_t parts = settings.accumulate;
  std::string advice = text("--batch %lld fits", wide(fits * parts));
  while (++parts <= settings.batch)
    if (settings.batch % parts == 0 && bytesOf(settings.batch / parts, true) <= room)
      return advice +
             text(", or --accumulate %lld, which takes the same batch in parts", wide(parts));
  return advice;
}

/// Error: the device has not so much memory; what would fit.
Status Trainer::checkMemory() {
  if (!model.device)
    return checkMachine();
  int64_t parts = settings.accumulate, rows = settings.batch / parts;
  auto with = [&](int64_t count, bool inParts) { return bytesWith(count, inParts); };
  std::optional<Shortage> shortage =
      shortageOf(*model.device, rows, [&](int64_t count) { return bytesWith(count, parts > 1); });
  if (!shortage)
    return success();
  return Error{Code::Memory, shortage->text("training", rows, *model.device) + "; " +
                                 adviceFor(shortage->fits, shortage->free, with)};
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
