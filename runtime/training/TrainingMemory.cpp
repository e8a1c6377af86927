// Counting what a training on this machine takes.
#include "runtime/training/TrainingMemory.h"

#include "runtime/machine/memory/Memory.h"
#include "runtime/model/Slices.h"
#include "runtime/training/DeviceMemory.h"
#include "runtime/training/Trainer.h"

#include <algorithm>

using namespace weft::runtime;

MemoryUse weft::runtime::memoryNow(const Model &model, const Kinds &kinds) {
  MemoryUse use;
  use.add(MemoryUse::Program, model.ownBytes);
  int64_t here = 0; // of parameters that were read or drawn, and of work space
  for (int i = 0; i < static_cast<int>(model.facts.parameters.size()); ++i) {
    const Parameter &parameter = model.facts.parameters[static_cast<size_t>(i)];
    if (!kinds(parameter.kind) || model.isAbsent(i))
      continue;
    int64_t bytes = elementCount(model.facts, parameter) * bytesOf(parameter.element);
    use.add(isOptimizer(parameter.kind) ? MemoryUse::Optimizer : MemoryUse::Parameters, bytes);
    // what is carried lies in the program's file, and comes as it is read
    here += model.carried && isWeight(parameter.kind) ? 0 : bytes;
  }
  for (const CodeMemory *each : {&model.work.arena, &model.work.scratch, &model.work.shared})
    here += each->size(); // of runs before, counted with those to come
  use.add(MemoryUse::Data, residentBytes() - model.ownBytes - here);
  return use;
}

std::optional<MemoryUse> weft::runtime::trainingMemory(Model &model, const Training &training,
                                                       const DataSource &data,
                                                       const TrainSettings &settings, int64_t rows,
                                                       bool inParts) {
  MemoryUse use = memoryNow(model, isAny);
  bool whole = true;
  auto alternate = [&](EntryRun run, int64_t count) {
    Status said = count > 0 ? data.setSizes(run, count) : success();
    Result<Sizes> sizes = said ? run.settle() : Result<Sizes>(said.error());
    whole &= bool(sizes);
    if (sizes)
      use.alternate(run.memoryAt(*sizes));
  };
  alternate(EntryRun(model, training.gradient), rows);
  int64_t gradients = use[MemoryUse::Gradients];
  alternate(EntryRun(model, training.update), 0);
  if (int64_t measured = std::min(data.validationRows(), rows);
      measured > 0 && settings.evaluateEvery > 0 && settings.evaluateBatches > 0) {
    EntryRun loss(model, training.loss >= 0 ? training.loss : training.gradient);
    loss.packInWork();
    alternate(std::move(loss), measured);
  }
  if (inParts)
    use.add(MemoryUse::Gradients, gradients);
  return whole ? std::optional(use) : std::nullopt;
}

/// Error: this machine has not so much; what would fit.
Status Trainer::checkMachine() {
  int64_t parts = settings.accumulate, rows = settings.batch / parts;
  auto with = [&](int64_t count, bool inParts) {
    auto use = trainingMemory(model, training, data, settings, count, inParts);
    return use ? use->total() : INT64_MAX;
  };
  std::optional<MemoryUse> use = trainingMemory(model, training, data, settings, rows, parts > 1);
  MemoryGrant grant = memoryGrant();
  if (!use || use->total() <= grant.bytes) {
    expected = use.value_or(MemoryUse());
    return success();
  }
  int64_t fits = mostRows(rows, grant.bytes, [&](int64_t count) { return with(count, parts > 1); });
  return Status(data.explained(
      {Code::Memory, text("training on batches of %lld takes %s; %s has %s; ", wide(settings.batch),
                          use->text().c_str(), grant.by, bytesText(grant.bytes).c_str()) +
                         adviceFor(fits, grant.bytes, with)}));
}
