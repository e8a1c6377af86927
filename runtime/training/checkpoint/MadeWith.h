// The options and sizes that weights were made with, and whether a program has the same: with
// others shapes may agree all the same, and what comes out is silently wrong.
#ifndef WEFT_RUNTIME_TRAINING_CHECKPOINT_MADEWITH_H
#define WEFT_RUNTIME_TRAINING_CHECKPOINT_MADEWITH_H

#include "runtime/base/Json.h"
#include "runtime/model/Facts.h"

namespace weft::runtime {

/// The file of a checkpoint: an object of names and values.
inline constexpr char optionsFile[] = "options.json";
/// In place of an entry: all that use a model, not the steps of a training.
inline constexpr char anyUse[] = "*";

/// The options and sizes that `entry` reads, or the one that it is derived from: of a training,
/// what its steps read.
Json readsOf(const Facts &facts, const std::string &entry);

enum class Purpose { Use, Resumption };

/// Whether the weights in `folder` are for `entry` as this program has it; without options.json
/// nothing is known of them. Errors: Value, they were made with other options: it says which and
/// what to do; File, the file holds something else.
Status fitsOptions(const std::string &folder, const Facts &facts, const std::string &entry,
                   Purpose purpose = Purpose::Use);

} // namespace weft::runtime
#endif
