// The most likely continuations: greedy, or by beams.
#ifndef WEFT_RUNTIME_GENERATION_SEARCH_H
#define WEFT_RUNTIME_GENERATION_SEARCH_H

#include "runtime/generation/Generator.h"

namespace weft::runtime {

struct SearchSettings {
  int64_t beams = 1;        // unfinished continuations of each sequence; 1 is greedy
  double lengthPenalty = 0; // scores are divided by length^penalty where lengths differ
  int64_t maxTokens = 1;
  std::optional<int32_t> end;                   // the id that ends a sequence
  int64_t ids = INT64_MAX;                      // only ids below this are chosen
  std::vector<std::vector<int32_t>> suppressed; // runs of ids that never occur behind the prompt
};

struct Hypothesis {
  std::vector<int32_t> ids; // behind the prompt, without the end
  double score = 0;         // the sum of log probabilities, of the end too
  bool ended = false;
};

/// Beam search (Sutskever, Vinyals, Le 2014): the best continuation of each prompt; prompts are
/// equally long. The generator has a row for each beam of each prompt, the beams of one side by
/// side, and knows no position. Each step keeps the best `beams` continuations; one is finished
/// when its end is among those. A search stops when none of the unfinished can come before the best
/// finished one; at `maxTokens` the unfinished compete as they are. Of equal scores, the earlier
/// beam and the lower id. Errors: a logit that is NaN, a row of -inf alone, an end or a suppressed
/// id that the model does not have.
Result<std::vector<Hypothesis>> search(Generator &generator,
                                       const std::vector<std::vector<int32_t>> &prompts,
                                       const SearchSettings &settings);

} // namespace weft::runtime
#endif
