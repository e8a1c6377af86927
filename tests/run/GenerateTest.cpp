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
  EXPECT_GE(std::count(seen.begin(), seen.end(), true), 2)
      << "a constant continuation would not show a wrong cache";
  CALL(weft_generator_close)(generator);
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

INSTANTIATE_TEST_SUITE_P(Models, Generate, testing::Values("gpt", "llama"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
