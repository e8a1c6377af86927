// Choosing the next token from its logits.
#ifndef WEFT_RUNTIME_GENERATION_SAMPLER_H
#define WEFT_RUNTIME_GENERATION_SAMPLER_H

#include "runtime/base/Error.h"

#include <cstdint>
#include <span>

namespace weft::runtime {

/// In the order in which they count: each restricts what those before it left, and probabilities
/// are those among what was left.
struct SamplingSettings {
  double temperature = 0; // 0: always the most likely token
  int64_t topK = 0;       // only the K most likely; 0: all
  /// Only the most likely that together have this probability (Holtzman et al. 2020).
  double topP = 1;
  double minP = 0; // only those with this share of the most likely one's probability
  uint64_t seed = 0;
};

/// The id of the largest logit, of equal ones the lowest. Errors, which name `position`, where it
/// will stand: a logit is NaN; all are -inf.
Result<size_t> mostLikely(std::span<const float> logits, int64_t position);

/// The id of the next token; of equal logits the lowest id. `position` is where it will stand: with
/// the seed it fixes the draw, whatever was drawn before. Errors: those of mostLikely.
Result<int32_t> chooseToken(std::span<const float> logits, SamplingSettings settings,
                            int64_t position);

} // namespace weft::runtime
#endif
