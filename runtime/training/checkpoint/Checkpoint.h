// Checkpoints: folders `step-N` that appear whole or not at all.
#ifndef WEFT_RUNTIME_TRAINING_CHECKPOINT_CHECKPOINT_H
#define WEFT_RUNTIME_TRAINING_CHECKPOINT_CHECKPOINT_H

#include "runtime/base/Json.h"
#include "runtime/data/DataSource.h"

namespace weft::runtime {

/// A checkpoint that was found: parameters.safetensors, optimizer.safetensors, state.json,
/// options.json, and the tokenizers of the data.
struct Checkpoint {
  std::string path;
  int64_t step = 0;
  Json state;             // as readCheckpointState() gives it
  std::string passedOver; // newer ones that are damaged, and how; "" where there are none
  std::string file(const char *name) const { return path + "/" + name; }
  /// What people should know: newer ones were passed over, and why; "" where none were.
  std::string warning() const;
};

/// Writes `out`/step-N under another name, to the disk, then renames it, then removes what is older
/// than the two newest whole ones. Holds nothing of time or place: the same training gives the same
/// bytes.
Status saveCheckpoint(const std::string &out, int64_t step, const Model &model,
                      const std::vector<SavedTokenizer> &tokenizers, const Json &state,
                      const Json &options);

/// The newest whole checkpoint in a training's folder, or the one that the folder itself is.
/// Errors: Name, there is none; File, there are only damaged ones; Type, the newest is of a later
/// format.
Result<Checkpoint> findCheckpoint(const std::string &folder);

/// Says it on standard error, unless it is empty.
void sayWarning(const std::string &warning);

/// Reads parameters, states and optimizer states. On an error nothing has changed.
Status loadCheckpoint(const Checkpoint &checkpoint, Model &model);

} // namespace weft::runtime
#endif
