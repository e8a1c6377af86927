// Continuing sequences through the C interface.
#include "runtime/generation/Generator.h"

#include "runtime/api/Model.h"
#include "runtime/generation/Sampler.h"

using namespace weft::runtime;

struct WeftGenerator {
  Generator generator;
  std::vector<Argument> inputs; // besides ids
};

WeftGenerator *weft_generator_open(WeftModel *model, const char *decoding, int64_t capacity) {
  const Facts &facts = model->model->facts;
  Result<const Decoding *> chosen = findDecoding(facts, decoding);
  if (!chosen) {
    fail(chosen.error());
    return nullptr;
  }
  std::optional<ContextLimit> limit = contextLimit(facts, **chosen);
  if (capacity < 1 || (limit && capacity > limit->positions)) {
    fail({Code::Size, text("a capacity of %lld positions: expected 1 to %s", wide(capacity),
                           limit ? text("%lld%s", wide(limit->positions),
                                        facts.place(facts.dims[limit->dimension]).c_str())
                                       .c_str()
                                 : "what fits into memory")});
    return nullptr;
  }
  Result<Generator> generator = Generator::create(*model->model, **chosen, capacity);
  if (!generator) {
    fail(generator.error());
    return nullptr;
  }
  return new WeftGenerator{std::move(*generator), givenInputsOf(facts, **chosen)};
}

void weft_generator_close(WeftGenerator *generator) {
  delete generator;
}

WeftStatus weft_generator_rows(WeftGenerator *generator, int64_t rows) {
  if (rows < 1)
    return fail({Code::Usage, "weft_generator_rows() needs at least one row"});
  return statusOf(generator->generator.setRows(rows));
}

WeftStatus weft_generator_input(WeftGenerator *generator, const char *name, const void *data,
                                const int64_t *shape, int32_t rank) {
  int number = argumentNamed(generator->inputs, name);
  GivenInput value{{shape, shape + rank}, {}};
  int64_t bytes = number < 0 ? 0 : bytesOf(generator->inputs[number].element);
  for (int64_t size : value.shape)
    if (size < 1 || __builtin_mul_overflow(bytes, size, &bytes))
      return fail({Code::Size, text("input %s: the shape %s makes no sense", name,
                                    shapeText(value.shape).c_str())});
  auto begin = static_cast<const char *>(data);
  value.data.assign(begin, begin + bytes);
  return statusOf(generator->generator.give(name, std::move(value)));
}

WeftStatus weft_generator_reorder(WeftGenerator *generator, const int64_t *from) {
  int64_t rows = generator->generator.rows();
  for (int64_t row = 0; row < rows; ++row)
    if (from[row] < 0 || from[row] >= rows)
      return fail({Code::Usage, text("row %lld cannot go on from row %lld: there are %lld",
                                     wide(row), wide(from[row]), wide(rows))});
  generator->generator.reorder({from, static_cast<size_t>(rows)});
  return WEFT_OK;
}

int64_t weft_generator_vocabulary(const WeftGenerator *generator) {
  return generator->generator.vocabulary();
}

const float *weft_advance(WeftGenerator *generator, const int32_t *ids, int64_t count) {
  if (count < 1) {
    fail({Code::Usage, "weft_advance() needs at least one id"});
    return nullptr;
  }
  Result<std::span<const float>> logits =
      generator->generator.advance({ids, static_cast<size_t>(count * generator->generator.rows())});
  if (logits)
    return logits->data();
  fail(logits.error());
  return nullptr;
}

int64_t weft_generator_known(const WeftGenerator *generator) {
  return generator->generator.known();
}

void weft_generator_reset(WeftGenerator *generator) {
  generator->generator.rewind(0);
}

int32_t weft_sample(const float *logits, int64_t count, const WeftSampling *sampling,
                    int64_t position) {
  SamplingSettings settings;
  if (sampling)
    settings = {sampling->temperature, sampling->top_k, sampling->top_p, sampling->min_p,
                sampling->seed};
  if (settings.topP == 0)
    settings.topP = 1;
  auto isShare = [](double value) { return value >= 0 && value <= 1; };
  if (count < 1 || !(settings.temperature >= 0) || settings.topK < 0 || !isShare(settings.topP) ||
      !isShare(settings.minP)) {
    fail({Code::Usage, "weft_sample() needs logits, a temperature and top_k of at least 0, and "
                       "top_p and min_p from 0 to 1"});
    return -1;
  }
  Result<int32_t> id = chooseToken({logits, static_cast<size_t>(count)}, settings, position);
  if (id)
    return *id;
  fail(id.error());
  return -1;
}
