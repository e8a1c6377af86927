// Several single steps of a generator, side by side.
#include "runtime/generation/Generator.h"

using namespace weft::runtime;

Status Generator::checkSideBySide() const {
  if (model->device)
    return Error{Code::Usage, text("%s computes: steps go side by side on this machine's "
                                   "processors alone",
                                   model->place().c_str())};
  for (const Argument &input : run.entry().inputs)
    if (isTotal(input))
      return Error{Code::Value,
                   text("%s keeps `%s`, a running total: each step needs that of the one before, "
                        "and none can be taken back",
                        decoding->name.c_str(), input.name.c_str())};
  return success();
}

Result<std::vector<std::span<const float>>> Generator::advanceEach(std::span<const int32_t> ids) {
  if (Status status = checkGiven(); !status)
    return status.error();
  if (!allocated)
    if (Status status = allocateCaches(); !status)
      return status.error();
  if (Status status = checkSideBySide(); !status)
    return status.error();
  auto rows = static_cast<size_t>(rowCount);
  size_t count = ids.size() / rows;
  if (count == 0 || ids.size() % rows != 0)
    return Error{Code::Usage, text("%zu ids for %zu rows: each needs as many, and at least one",
                                   ids.size(), rows)};
  if (Status status = checkRoom(static_cast<int64_t>(count)); !status)
    return status.error();
  if (Status status = begin(); !status)
    return status.error();
  while (steps.size() < count) {
    auto made = std::make_unique<EntryRun>(*model, decoding->advance);
    made->computeApart();
    bind(*made);
    steps.push_back(std::move(made));
  }
  for (size_t i = 0; i < count; ++i) {
    EntryRun &step = *steps[i];
    if (Status status = setSizes(step, 1, position + static_cast<int64_t>(i)); !status)
      return status.error();
    if (Status status = step.allocate(); !status)
      return status.error();
    for (size_t row = 0; row < rows; ++row)
      step.input<int32_t>(tokens)[row] = ids[row * count + i];
  }
  std::span<const std::unique_ptr<EntryRun>> runs(steps.data(), count);
  Result<bool> together = EntryRun::runTogether(runs);
  if (!together)
    return together.error();
  sideBySide = *together;
  position += static_cast<int64_t>(count);
  std::vector<std::span<const float>> all;
  for (const auto &step : runs)
    all.push_back(lastLogits(*step));
  return all;
}
