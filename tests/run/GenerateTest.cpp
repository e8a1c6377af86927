// Compiled models continue a sequence with their caches exactly as they would without.
#include "weft.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

/// A model's library, and of weft.h what the test needs.
class Library {
public:
  explicit Library(const std::string &name)
      : handle(dlopen((std::string(WEFT_LIBRARIES) + "/lib" + name + ".so").c_str(),
                      RTLD_NOW | RTLD_LOCAL)) {}

  template <typename Function> Function *function(const char *name) const {
    return reinterpret_cast<Function *>(dlsym(handle, name));
  }

  void *handle;
};

#define CALL(name) library.function<decltype(name)>(#name)

class Generate : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_NE(library.handle, nullptr) << dlerror();
    model = CALL(weft_open)(nullptr);
    ASSERT_NE(model, nullptr) << CALL(weft_error)();
    ASSERT_EQ(CALL(weft_initialize)(model, 7), WEFT_OK) << CALL(weft_error)();
    // As initialized, the logits of a small model are nearly equal; larger ones decide clearly, and
    // depend on the past.
    for (const char *name : {"table", "place"})
      if (WeftTensor tensor = CALL(weft_parameter)(model, name); tensor.data)
        for (int64_t i = 0; i < tensor.count; ++i)
          static_cast<float *>(tensor.data)[i] *= 25;
    CALL(weft_parameters_changed)(model);
  }
  void TearDown() override { CALL(weft_close)(model); }

  /// The logits after all of `ids`, computed from nothing.
  std::vector<float> whole(const std::vector<int32_t> &ids) {
    WeftRun *run = CALL(weft_run_open)(model, "logits");
    EXPECT_EQ(CALL(weft_run_size)(run, "batch", 1), WEFT_OK) << CALL(weft_error)();
    EXPECT_EQ(CALL(weft_run_size)(run, "seq", static_cast<int64_t>(ids.size())), WEFT_OK)
        << CALL(weft_error)();
    EXPECT_EQ(CALL(weft_run_allocate)(run), WEFT_OK) << CALL(weft_error)();
    std::copy(ids.begin(), ids.end(),
              static_cast<int32_t *>(CALL(weft_run_input)(run, "tokens").data));
    EXPECT_EQ(CALL(weft_run)(run, 0, 0), WEFT_OK) << CALL(weft_error)();
    WeftTensor output = CALL(weft_run_output)(run, "output");
    int64_t vocabulary = output.shape[output.rank - 1];
    const float *end = static_cast<float *>(output.data) + output.count;
    std::vector<float> logits(end - vocabulary, end);
    CALL(weft_run_close)(run);
    return logits;
  }

  Library library{GetParam()};
  WeftModel *model = nullptr;
};

int32_t best(const float *logits, int64_t count) {
  return std::max_element(logits, logits + count) - logits;
}

TEST_P(Generate, EqualsFullRecomputation) {
  std::vector<int32_t> prompt(17);
  for (size_t i = 0; i < prompt.size(); ++i)
    prompt[i] = static_cast<int32_t>(i * 37 % 256);
  constexpr int steps = 256;
  WeftGenerator *generator = CALL(weft_generator_open)(model, nullptr, 320);
  ASSERT_NE(generator, nullptr) << CALL(weft_error)();
  int64_t vocabulary = CALL(weft_generator_vocabulary)(generator);
  std::vector<int32_t> ids = prompt, fresh = prompt;
  std::vector<bool> seen(vocabulary);
  for (int step = 0; step < steps; ++step) {
    const float *cached =
        CALL(weft_advance)(generator, fresh.data(), static_cast<int64_t>(fresh.size()));
    ASSERT_NE(cached, nullptr) << CALL(weft_error)();
    std::vector<float> logits = whole(ids);
    ASSERT_EQ(static_cast<int64_t>(logits.size()), vocabulary);
    for (int64_t i = 0; i < vocabulary; ++i)
      ASSERT_NEAR(cached[i], logits[i], 1e-4) << "step " << step << ", id " << i;
    ASSERT_EQ(best(cached, vocabulary), best(logits.data(), vocabulary)) << "step " << step;
    fresh = {best(cached, vocabulary)};
    seen[fresh[0]] = true;
    ids.push_back(fresh[0]);
  }
  CALL(weft_generator_close)(generator);
  // A continuation that forgets, or always takes the same id, would not show a wrong cache.
  EXPECT_GE(std::count(seen.begin(), seen.end(), true), 2);
  std::vector<float> logits = whole(ids);
  for (size_t position : {size_t(0), ids.size() / 2, ids.size() - 2}) {
    std::vector<int32_t> other = ids;
    other[position] = (other[position] + 1) % static_cast<int32_t>(vocabulary);
    std::vector<float> changed = whole(other);
    float most = 0;
    for (int64_t i = 0; i < vocabulary; ++i)
      most = std::max(most, std::abs(changed[i] - logits[i]));
    EXPECT_GT(most, 1e-3) << "position " << position << " decides nothing";
  }
}

/// Ids drawn from a model's own logits come as often as their probabilities say: Pearson's
/// chi-squared test.
TEST_P(Generate, DrawsFollowTheLogits) {
  std::vector<float> logits = whole({3, 1, 4, 1, 5, 9, 2, 6});
  double mean = 0, top = *std::max_element(logits.begin(), logits.end());
  for (float logit : logits)
    mean += logit / double(logits.size());
  // From nearly even to where one id has most of the probability.
  for (double sharpness : {1, 3, 6}) {
    double temperature = (top - mean) / sharpness;
    std::vector<double> expected, drawn(logits.size());
    double sum = 0;
    for (float logit : logits)
      sum += expected.emplace_back(std::exp((logit - mean) / temperature));
    constexpr int draws = 20000;
    WeftSampling sampling{
        .temperature = temperature, .top_k = 0, .top_p = 0, .min_p = 0, .seed = 5};
    for (int64_t position = 0; position < draws; ++position)
      ++drawn.at(CALL(weft_sample)(logits.data(), static_cast<int64_t>(logits.size()), &sampling,
                                   position));
    // Rare ids are one bin: the statistic is chi-squared only where some are expected.
    double statistic = 0, rareExpected = 0, rareDrawn = 0;
    int bins = 0;
    auto add = [&](double expected, double drawn) {
      statistic += (drawn - expected) * (drawn - expected) / expected;
      ++bins;
    };
    for (size_t id = 0; id < logits.size(); ++id)
      if (double count = expected[id] / sum * draws; count >= 10)
        add(count, drawn[id]);
      else
        rareExpected += count, rareDrawn += drawn[id];
    if (rareExpected >= 10)
      add(rareExpected, rareDrawn);
    else
      EXPECT_LE(rareDrawn, 40);
    ASSERT_GE(bins, 5) << "too few to tell";
    double freedom = bins - 1; // the mean; the variance is twice that
    EXPECT_LT(statistic, freedom + 5 * std::sqrt(2 * freedom)) << "temperature " << temperature;
    EXPECT_GT(statistic, freedom - 5 * std::sqrt(2 * freedom)) << "too even to be drawn";
  }
}

TEST_P(Generate, AnyPiecesOfAPromptGiveTheSame) {
  std::vector<int32_t> ids(61);
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(i * i * 11 % 256);
  std::vector<float> logits = whole(ids);
  for (std::vector<int64_t> pieces :
       {std::vector<int64_t>{61}, {1, 60}, {60, 1}, {7, 16, 33, 5}, {32, 29}}) {
    // With more room than is needed: what lies behind the known positions is not read.
    WeftGenerator *generator = CALL(weft_generator_open)(model, nullptr, 100);
    ASSERT_NE(generator, nullptr) << CALL(weft_error)();
    const float *cached = nullptr;
    int64_t begin = 0;
    for (int64_t piece : pieces) {
      cached = CALL(weft_advance)(generator, ids.data() + begin, piece);
      ASSERT_NE(cached, nullptr) << CALL(weft_error)();
      begin += piece;
    }
    for (size_t i = 0; i < logits.size(); ++i)
      ASSERT_NEAR(cached[i], logits[i], 1e-4) << pieces.size() << " pieces, id " << i;
    CALL(weft_generator_close)(generator);
  }
}

TEST_P(Generate, NothingIsLeftOfASequenceThatWasReset) {
  std::vector<int32_t> other(23, 5), ids{7, 31, 2, 99, 4};
  std::vector<float> logits = whole(ids);
  WeftGenerator *generator = CALL(weft_generator_open)(model, nullptr, 64);
  ASSERT_NE(generator, nullptr) << CALL(weft_error)();
  ASSERT_NE(CALL(weft_advance)(generator, other.data(), 23), nullptr) << CALL(weft_error)();
  CALL(weft_generator_reset)(generator);
  const float *cached = nullptr;
  for (int32_t id : ids)
    cached = CALL(weft_advance)(generator, &id, 1);
  ASSERT_NE(cached, nullptr) << CALL(weft_error)();
  for (size_t i = 0; i < logits.size(); ++i)
    ASSERT_NEAR(cached[i], logits[i], 1e-4) << "id " << i;
  CALL(weft_generator_close)(generator);
}

INSTANTIATE_TEST_SUITE_P(Models, Generate, testing::Values("gpt", "llama", "linear"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
