// Greedy and random choice; temperature first, then top-k, then top-p of what that leaves, then
// min-p.
#include "runtime/generation/Sampler.h"

#include "runtime/base/Philox.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace weft::runtime;

namespace {
struct Candidate {
  int32_t id;
  double weight; // relative to the most likely token's 1
};
} // namespace

static bool likelier(const Candidate &a, const Candidate &b) {
  return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
}

/// Drops what top-k, then top-p, then min-p exclude; at least one candidate stays.
static void restrict(std::vector<Candidate> &candidates, const SamplingSettings &settings) {
  bool cutsK = settings.topK > 0 && settings.topK < static_cast<int64_t>(candidates.size());
  if (cutsK || settings.topP < 1)
    std::sort(candidates.begin(), candidates.end(), likelier);
  if (cutsK)
    candidates.resize(static_cast<size_t>(settings.topK));
  if (settings.topP < 1) {
    double total = 0, sum = 0;
    for (const Candidate &candidate : candidates)
      total += candidate.weight;
    size_t count = 0;
    while (count < candidates.size() && (count == 0 || sum < settings.topP * total))
      sum += candidates[count++].weight;
    candidates.resize(count);
  }
  std::erase_if(candidates, [&](const Candidate &c) { return c.weight < settings.minP; });
}

Result<size_t> weft::runtime::mostLikely(std::span<const float> logits, int64_t position) {
  size_t best = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]))
      return Error{
          Code::Value,
          text("the logit of token %zu at position %lld is NaN: the weights are broken or numbers "
               "overflowed",
               i, wide(position))};
    if (logits[i] > logits[best])
      best = i;
  }
  if (logits[best] == -INFINITY)
    return Error{Code::Value,
                 text("no token can follow at position %lld: every logit is -inf", wide(position))};
  return best;
}

Result<int32_t> weft::runtime::chooseToken(std::span<const float> logits, SamplingSettings settings,
                                           int64_t position) {
  Result<size_t> likely = mostLikely(logits, position);
  if (!likely)
    return likely.error();
  size_t best = *likely;
  if (settings.temperature == 0 || !std::isfinite(logits[best]))
    return static_cast<int32_t>(best);
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < logits.size(); ++i) {
    double weight =
        std::exp((static_cast<double>(logits[i]) - logits[best]) / settings.temperature);
    if (weight > 0)
      candidates.push_back({static_cast<int32_t>(i), weight});
  }
  restrict(candidates, settings);
  double total = 0;
  for (const Candidate &candidate : candidates)
    total += candidate.weight;
  double left =
      total *
      RandomStream(settings.seed, streamNamed("sample")).unit(static_cast<uint64_t>(position));
  for (const Candidate &candidate : candidates)
    if ((left -= candidate.weight) < 0)
      return candidate.id;
  return candidates.back().id;
}
