// What a training takes of this machine's memory, before its first step.
#ifndef WEFT_RUNTIME_TRAINING_TRAININGMEMORY_H
#define WEFT_RUNTIME_TRAINING_TRAININGMEMORY_H

#include "runtime/data/DataSource.h"
#include "runtime/training/Settings.h"

#include <optional>

namespace weft::runtime {

/// What the process has now: itself, parameters and optimizer states, and what else was read.
/// `model` has parameters.
MemoryUse memoryNow(const Model &model, const Kinds &kinds);

/// That, and all that the training will take once it has computed a batch of `rows` rows at a time
/// (`inParts`: several for a step) and measured its validation. Nothing where sizes do not go
/// together. `model` may be without parameters, which then are to come.
std::optional<MemoryUse> trainingMemory(Model &model, const Training &training,
                                        const DataSource &data, const TrainSettings &settings,
                                        int64_t rows, bool inParts);

} // namespace weft::runtime
#endif
