// Choosing an id through the C interface.
#include "runtime/generation/Sampler.h"

#include "runtime/api/Call.h"
#include "runtime/api/Sized.h"

using namespace weft::runtime;

static Result<int32_t> sample(const float *logits, int64_t count, const WeftSampling *sampling,
                              int64_t position) {
  SamplingSettings settings;
  if (sampling) {
    Result<WeftSampling> said = taken("sampling", *sampling);
    if (!said)
      return said.error();
    settings = {said->temperature, said->top_k, said->top_p, said->min_p, said->seed};
  }
  if (settings.topP == 0)
    settings.topP = 1;
  auto isShare = [](double value) { return value >= 0 && value <= 1; };
  if (count < 1 || count > INT32_MAX || !(settings.temperature >= 0) || settings.topK < 0 ||
      !isShare(settings.topP) || !isShare(settings.minP))
    return Error{Code::Usage, "weft_sample() needs 1 to 2147483647 logits, a temperature and top_k "
                              "of at least 0, and top_p and min_p from 0 to 1"};
  return chooseToken({logits, static_cast<size_t>(count)}, settings, position);
}

int32_t weft_sample(const float *logits, int64_t count, const WeftSampling *sampling,
                    int64_t position) {
  return call<int32_t>("weft_sample", -1, {{"logits", logits}},
                       [&] { return sample(logits, count, sampling, position); });
}
