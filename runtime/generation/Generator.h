// Continuing a sequence: prefill, then steps, through the `advance` entry and its caches.
#ifndef WEFT_RUNTIME_GENERATION_GENERATOR_H
#define WEFT_RUNTIME_GENERATION_GENERATOR_H

#include "runtime/model/EntryRun.h"

#include <span>

namespace weft::runtime {

class Generator {
public:
  /// Makes room for `capacity` positions. Errors: a decoding that needs other inputs than ids.
  static Result<Generator> create(Model &model, const Decoding &decoding, int64_t capacity);

  /// Takes in further ids and gives the logits of the token after the last of them, by id; they
  /// last until the next call.
  Result<std::span<const float>> advance(std::span<const int32_t> ids);
  /// How many positions are known.
  int64_t known() const { return position; }
  /// How many ids there are.
  int64_t vocabulary() const;
  /// Forgets the positions from `known` on, at most those there are.
  void rewind(int64_t known) {
    position = known;
    begun &= known > 0; // another sequence may follow other parameters
  }

private:
  Generator(Model &model, const Decoding &decoding)
      : model(&model), decoding(&decoding), run(model, decoding.advance) {}
  Status findArguments();
  Status checkInputs(const Entry &entry) const;
  Status allocateCaches();
  /// Fills the caches of what does not depend on the sequence.
  Status begin();
  Status setSizes(int64_t fresh);
  Model *model;
  const Decoding *decoding;
  EntryRun run;
  std::vector<Block> caches;
  int64_t capacity = 0, position = 0;
  int tokens = -1, logits = -1; // the input of ids, the output of logits
  bool begun = false;
};

/// The entry made by `decode` of this name; the first where `name` is nullptr. The error lists
/// those there are.
Result<const Decoding *> findDecoding(const Facts &facts, const char *name);

/// The most positions that a build has room for, and the dimension that says so; nothing where
/// there is no bound.
struct ContextLimit {
  int64_t positions;
  int dimension;
};
std::optional<ContextLimit> contextLimit(const Facts &facts, const Decoding &decoding);

} // namespace weft::runtime
#endif
