// state.json of a checkpoint: untrusted input, each field of which is checked for type and bounds.
#ifndef WEFT_RUNTIME_TRAINING_CHECKPOINT_CHECKPOINTSTATE_H
#define WEFT_RUNTIME_TRAINING_CHECKPOINT_CHECKPOINTSTATE_H

#include "runtime/base/Error.h"
#include "runtime/base/Json.h"

namespace weft::runtime {

/// The most steps of a training, rows of a batch and the like: programs count them in int32.
constexpr int64_t mostOfASetting = INT32_MAX;

/// Reads `path`. What comes has all fields that a training writes, each of its type and within its
/// bounds. Errors: File, which names file, field, value and what was expected; Type, where the
/// format is newer than this program.
Result<Json> readCheckpointState(const std::string &path);

} // namespace weft::runtime
#endif
