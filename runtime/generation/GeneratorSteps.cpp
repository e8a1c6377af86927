// Single steps side by side: several of one generator, or those of several generators.
#include "runtime/generation/Generator.h"

#include "runtime/generation/Undoing.h"

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

Result<int64_t> Generator::checkTurn(std::span<const int32_t> ids) const {
  if (Status status = checkGiven(); !status)
    return status.error();
  auto rows = static_cast<size_t>(rowCount);
  if (ids.size() < rows || ids.size() % rows != 0)
    return Error{Code::Usage, text("%zu ids for %zu rows: each needs as many, and at least one",
                                   ids.size(), rows)};
  auto count = static_cast<int64_t>(ids.size() / rows);
  if (Status status = count == 1 ? success() : checkSideBySide(); !status)
    return status.error();
  if (Status status = checkRoom(count); !status)
    return status.error();
  for (int32_t id : ids)
    if (Status status = checkId(model->facts, *decoding, id); !status)
      return status.error();
  return count;
}

Status Generator::prepareSteps(std::span<const int32_t> ids, int64_t count) {
  if (!allocated)
    if (Status status = allocateCaches(); !status)
      return status;
  if (Status status = begin(); !status)
    return status;
  while (steps.size() < static_cast<size_t>(count)) {
    auto made = std::make_unique<EntryRun>(*model, decoding->advance);
    made->computeApart();
    bind(*made);
    steps.push_back(std::move(made));
  }
  auto rows = static_cast<size_t>(rowCount);
  for (int64_t i = 0; i < count; ++i) {
    EntryRun &step = *steps[static_cast<size_t>(i)];
    if (Status status = setSizes(step, 1, position + i); !status)
      return status;
    if (Status status = step.allocate(); !status)
      return status;
    for (size_t row = 0; row < rows; ++row)
      step.input<int32_t>(tokens)[row] = ids[row * (ids.size() / rows) + static_cast<size_t>(i)];
  }
  return keepTotals();
}

/// Where a device computes, which takes one run at a time.
Result<std::vector<Generator::EachLogits>> Generator::advanceOneByOne(std::span<const Turn> turns) {
  Undoing undoing(turns);
  std::vector<EachLogits> all(turns.size(), EachLogits(1));
  for (size_t i = 0; i < turns.size(); undoing.prepared = undoing.taken = ++i) {
    Generator &generator = *turns[i].generator;
    Result<std::span<const float>> logits = generator.advance(turns[i].ids);
    if (!logits)
      return logits.error();
    generator.sideBySide = false;
    all[i][0] = *logits;
  }
  undoing.finished = true;
  return all;
}

Result<std::vector<Generator::EachLogits>> Generator::advanceTogether(std::span<const Turn> turns) {
  // Which turn is wrong, where there are several.
  auto of = [&](size_t turn, const Error &error) {
    std::string which = turns.size() == 1 ? "" : text("turn %zu: ", turn);
    return Error{error.code, which + error.message};
  };
  std::vector<EachLogits> all;
  for (size_t i = 0; i < turns.size(); ++i) {
    Result<int64_t> count = turns[i].generator->checkTurn(turns[i].ids);
    if (!count)
      return of(i, count.error());
    all.emplace_back(static_cast<size_t>(*count));
  }
  if (turns.empty())
    return all;
  if (turns.front().generator->model->device)
    return advanceOneByOne(turns);
  Undoing undoing(turns);
  std::vector<EntryRun *> runs;
  for (size_t i = 0; i < turns.size(); ++i) {
    Generator &generator = *turns[i].generator;
    if (Status status = generator.prepareSteps(turns[i].ids, std::ssize(all[i])); !status)
      return of(i, status.error());
    ++undoing.prepared;
    for (size_t step = 0; step < all[i].size(); ++step)
      runs.push_back(generator.steps[step].get());
  }
  Result<bool> together = EntryRun::runTogether(runs);
  if (!together)
    return together.error();
  for (size_t i = 0; i < turns.size(); ++i) {
    Generator &generator = *turns[i].generator;
    generator.sideBySide = *together;
    generator.position += std::ssize(all[i]);
    for (size_t step = 0; step < all[i].size(); ++step)
      all[i][step] = generator.lastLogits(*generator.steps[step]);
  }
  undoing.finished = true;
  return all;
}

Result<Generator::EachLogits> Generator::advanceEach(std::span<const int32_t> ids) {
  const Turn turn{this, ids};
  Result<std::vector<EachLogits>> all = advanceTogether({&turn, 1});
  if (!all)
    return all.error();
  return std::move(all->front());
}
