// A trainer behind the C interface.
#ifndef WEFT_RUNTIME_API_TRAINER_H
#define WEFT_RUNTIME_API_TRAINER_H

#include "runtime/api/Run.h"
#include "runtime/training/Trainer.h"

struct WeftTrainer {
  std::shared_ptr<weft::runtime::Opened> opened;
  const weft::runtime::Training &training;
  WeftRun gradient;
  weft::runtime::Update update;
  int64_t steps;
  uint64_t seed;
  int bound = 0; // the allocation of `gradient` that `update` reads
  int64_t step = 0;
};

#endif
