// Whether what is computed fits the memory of a device, and how many rows at a time would.
#ifndef WEFT_RUNTIME_TRAINING_DEVICEMEMORY_H
#define WEFT_RUNTIME_TRAINING_DEVICEMEMORY_H

#include "runtime/model/EntryRun.h"

#include <functional>

namespace weft::runtime {

struct Shortage {
  int64_t needed, free;
  int64_t fits; // the most rows that do; 0: none
  /// "training on batches of 64 takes 9.6 GB of cuda:0 (…), which has 7.1 GB left of 8.0 GB"
  std::string text(const char *what, int64_t rows, const Device &device) const;
};

/// Bytes that so many rows at a time take where code runs; INT64_MAX where sizes do not go
/// together.
using BytesOfRows = std::function<int64_t(int64_t rows)>;

/// Nothing where they fit, or where it is not the memory that is wrong.
std::optional<Shortage> shortageOf(Device &device, int64_t rows, const BytesOfRows &bytesOf);

/// The most rows below `rows` that take no more than `free`; 0: none.
int64_t mostRows(int64_t rows, int64_t free, const BytesOfRows &bytesOf);

/// ", or --device cpu", of a program that has code for this machine, else nothing.
const char *orHere(const Model &model);

} // namespace weft::runtime
#endif
