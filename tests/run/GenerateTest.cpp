// Compiled models continue a sequence with their caches exactly as they would without.
#include "weft.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

/// The table of a model's library.
const WeftApi *tableOf(const std::string &name) {
  void *library =
      dlopen((std::string(WEFT_LIBRARIES) + "/lib" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *table =
      library ? reinterpret_cast<decltype(weft_api) *>(dlsym(library, "weft_api")) : nullptr;
  return table ? table() : nullptr;
}

class Generate : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_NE(api, nullptr) << dlerror();
    model = api->open(nullptr);
    ASSERT_NE(model, nullptr) << api->error();
    ASSERT_EQ(api->initialize(model, 7), WEFT_OK) << api->error();
    // As initialized, the logits of a small model are nearly equal; larger ones decide clearly, and
    // depend on the past.
    for (const char *name : {"table", "place"})
      if (WeftTensor tensor = {sizeof tensor}; api->parameter(model, name, &tensor) == WEFT_OK)
        for (int64_t i = 0; i < tensor.count; ++i)
          static_cast<float *>(tensor.data)[i] *= 25;
    api->parameters_changed(model);
  }
  void TearDown() override { api->close(model); }

  /// The logits after all of `ids`, computed from nothing.
  std::vector<float> whole(const std::vector<int32_t> &ids) {
    WeftRun *run = api->run_open(model, "logits");
    EXPECT_EQ(api->run_size(run, "batch", 1), WEFT_OK) << api->error();
    EXPECT_EQ(api->run_size(run, "seq", static_cast<int64_t>(ids.size())), WEFT_OK) << api->error();
    EXPECT_EQ(api->run_allocate(run), WEFT_OK) << api->error();
    WeftTensor tokens = {sizeof tokens}, output = {sizeof output};
    EXPECT_EQ(api->run_input(run, "tokens", &tokens), WEFT_OK) << api->error();
    EXPECT_EQ(api->run_output(run, "output", &output), WEFT_OK) << api->error();
    std::copy(ids.begin(), ids.end(), static_cast<int32_t *>(tokens.data));
    EXPECT_EQ(api->run(run, 0, 0), WEFT_OK) << api->error();
    int64_t vocabulary = output.shape[output.rank - 1];
    const float *end = static_cast<float *>(output.data) + output.count;
    std::vector<float> logits(end - vocabulary, end);
    api->run_close(run);
    return logits;
  }

  const WeftApi *api = tableOf(GetParam());
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
  WeftGenerator *generator = api->generator_open(model, nullptr, 320);
  ASSERT_NE(generator, nullptr) << api->error();
  int64_t vocabulary = api->generator_vocabulary(generator);
  std::vector<int32_t> ids = prompt, fresh = prompt;
  std::vector<bool> seen(vocabulary);
  for (int step = 0; step < steps; ++step) {
    const float *cached = api->advance(generator, fresh.data(), static_cast<int64_t>(fresh.size()));
    ASSERT_NE(cached, nullptr) << api->error();
    std::vector<float> logits = whole(ids);
    ASSERT_EQ(static_cast<int64_t>(logits.size()), vocabulary);
    for (int64_t i = 0; i < vocabulary; ++i)
      ASSERT_NEAR(cached[i], logits[i], 1e-4) << "step " << step << ", id " << i;
    ASSERT_EQ(best(cached, vocabulary), best(logits.data(), vocabulary)) << "step " << step;
    fresh = {best(cached, vocabulary)};
    seen[fresh[0]] = true;
    ids.push_back(fresh[0]);
  }
  api->generator_close(generator);
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
    WeftSampling sampling{sizeof sampling, temperature, 0, 0, 0, 5};
    for (int64_t position = 0; position < draws; ++position)
      ++drawn.at(
          api->sample(logits.data(), static_cast<int64_t>(logits.size()), &sampling, position));
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
    WeftGenerator *generator = api->generator_open(model, nullptr, 100);
    ASSERT_NE(generator, nullptr) << api->error();
    const float *cached = nullptr;
    int64_t begin = 0;
    for (int64_t piece : pieces) {
      cached = api->advance(generator, ids.data() + begin, piece);
      ASSERT_NE(cached, nullptr) << api->error();
      begin += piece;
    }
    for (size_t i = 0; i < logits.size(); ++i)
      ASSERT_NEAR(cached[i], logits[i], 1e-4) << pieces.size() << " pieces, id " << i;
    api->generator_close(generator);
  }
}

TEST_P(Generate, NothingIsLeftOfASequenceThatWasReset) {
  std::vector<int32_t> other(23, 5), ids{7, 31, 2, 99, 4};
  std::vector<float> logits = whole(ids);
  WeftGenerator *generator = api->generator_open(model, nullptr, 64);
  ASSERT_NE(generator, nullptr) << api->error();
  ASSERT_NE(api->advance(generator, other.data(), 23), nullptr) << api->error();
  ASSERT_EQ(api->generator_rewind(generator, 0), WEFT_OK);
  const float *cached = nullptr;
  for (int32_t id : ids)
    cached = api->advance(generator, &id, 1);
  ASSERT_NE(cached, nullptr) << api->error();
  for (size_t i = 0; i < logits.size(); ++i)
    ASSERT_NEAR(cached[i], logits[i], 1e-4) << "id " << i;
  api->generator_close(generator);
}

/// abi E27; linear attention keeps running totals.
TEST_P(Generate, GoesBackAndBranchesOff) {
  std::vector<int32_t> ids{7, 31, 2, 99, 4};
  WeftGenerator *generator = api->generator_open(model, nullptr, 64);
  ASSERT_NE(api->advance(generator, ids.data(), 3), nullptr) << api->error();
  const int64_t rows[] = {0, 0};
  WeftGenerator *two = api->generator_branch(generator, rows, 2);
  ASSERT_NE(two, nullptr) << api->error();
  ASSERT_NE(api->advance(generator, ids.data() + 3, 2), nullptr) << api->error();
  bool keepsTotals = std::string(GetParam()) == "linear";
  EXPECT_EQ(api->generator_rewind(generator, 3), keepsTotals ? WEFT_ERROR_VALUE : WEFT_OK);
  EXPECT_EQ(api->generator_known(generator), keepsTotals ? 5 : 3);
  const int32_t further[] = {1, 8};
  const float *logits = api->advance(two, further, 1);
  ASSERT_NE(logits, nullptr) << api->error();
  for (int row = 0; row < 2; ++row) {
    std::vector<float> expected = whole({7, 31, 2, further[row]});
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(logits[static_cast<size_t>(row) * expected.size() + i], expected[i], 1e-4);
  }
  if (!keepsTotals) {
    const float *again = api->advance(generator, further, 1);
    std::vector<float> expected = whole({7, 31, 2, 1});
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(again[i], expected[i], 1e-4);
  }
  api->generator_close(two);
  api->generator_close(generator);
}

INSTANTIATE_TEST_SUITE_P(Models, Generate, testing::Values("gpt", "llama", "linear", "scores"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
