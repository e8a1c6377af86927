// What weft.h promises of what it keeps: positions and rows of generators, trainings in folders,
// texts, structures that grow, the table of functions.
#include "tests/unit/runtime/api/Interface.h"

#include <cmath>
#include <filesystem>

using namespace weft::interface;

namespace {
void expectNear(const float *logits, const std::vector<float> &expected) {
  ASSERT_NE(logits, nullptr) << weft_error();
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(logits[i], expected[i], 1e-6) << i;
}

class Keeping : public testing::Test {
protected:
  ~Keeping() override { weft_close(model); }
  WeftModel *model = openModel();
  TemporaryFolder folder;
};
} // namespace

// abi E18
TEST_F(Keeping, AGeneratorGoesBackToWhereItWas) {
  WeftGenerator *generator = weft_generator_open(model, nullptr, 8);
  std::vector<int32_t> ids = {5, 17, 3, 99};
  ASSERT_NE(weft_advance(generator, ids.data(), 4), nullptr);
  for (int64_t known : {3, 1, 0}) {
    ASSERT_EQ(weft_generator_rewind(generator, known), WEFT_OK) << weft_error();
    EXPECT_EQ(weft_generator_known(generator), known);
    std::vector<int32_t> other(ids.begin(), ids.begin() + known);
    for (int32_t id : {64, 65}) {
      other.push_back(id);
      expectNear(weft_advance(generator, &id, 1), nextOf(model, other));
    }
    ids = other;
  }
  weft_generator_close(generator);
}

// abi E19
TEST_F(Keeping, ManyContinuationsOfOnePrompt) {
  WeftGenerator *prompt = weft_generator_open(model, nullptr, 8);
  const int32_t ids[] = {5, 17, 3}, more[] = {1, 2, 1};
  ASSERT_NE(weft_advance(prompt, ids, 3), nullptr);
  const int64_t from[] = {0, 0, 0}, pick[] = {2, 1};
  WeftGenerator *three = weft_generator_branch(prompt, from, 3);
  ASSERT_NE(three, nullptr) << weft_error();
  EXPECT_EQ(weft_generator_known(three), 3);
  weft_generator_close(prompt); // they go on for themselves
  const float *logits = weft_advance(three, more, 3 / 3);
  for (int row = 0; row < 3; ++row)
    expectNear(logits + row * vocabulary, nextOf(model, {5, 17, 3, more[row]}));
  int32_t last[] = {7, 8, 9};
  ASSERT_NE(weft_advance(three, last, 1), nullptr);
  WeftGenerator *two = weft_generator_branch(three, pick, 2);
  ASSERT_NE(two, nullptr) << weft_error();
  ASSERT_NE(weft_advance(three, last, 1), nullptr); // does not move the other
  EXPECT_EQ(weft_generator_known(two), 5);
  logits = weft_advance(two, more, 1);
  expectNear(logits, nextOf(model, {5, 17, 3, 1, 9, 1}));
  expectNear(logits + vocabulary, nextOf(model, {5, 17, 3, 2, 8, 2}));
  weft_generator_close(three);
  weft_generator_close(two);
}

// abi E19
TEST_F(Keeping, BranchesOfNothingBeginAtNothing) {
  WeftGenerator *empty = weft_generator_open(model, nullptr, 8);
  const int64_t from[] = {0, 0};
  WeftGenerator *two = weft_generator_branch(empty, from, 2);
  ASSERT_NE(two, nullptr) << weft_error();
  EXPECT_EQ(weft_generator_known(two), 0);
  const int32_t ids[] = {4, 5};
  const float *logits = weft_advance(two, ids, 1);
  expectNear(logits, nextOf(model, {4}));
  expectNear(logits + vocabulary, nextOf(model, {5}));
  weft_generator_close(two);
  weft_generator_close(empty);
}

/// Of eight rows where caches were made for four, and before there is anything to reorder.
TEST_F(Keeping, ReorderingAtAnyTime) {
  WeftGenerator *generator = weft_generator_open(model, nullptr, 4);
  const int64_t from[] = {7, 6, 5, 4, 3, 2, 1, 0};
  ASSERT_EQ(weft_generator_rows(generator, 4), WEFT_OK);
  EXPECT_EQ(weft_generator_reorder(generator, from + 4), WEFT_OK) << weft_error();
  const int32_t ids[] = {1, 2, 3, 4, 5, 6, 7, 8}, same[] = {9, 9, 9, 9, 9, 9, 9, 9};
  ASSERT_NE(weft_advance(generator, ids, 1), nullptr);
  ASSERT_EQ(weft_generator_rows(generator, 8), WEFT_OK);
  EXPECT_EQ(weft_generator_reorder(generator, from), WEFT_OK) << weft_error();
  ASSERT_NE(weft_advance(generator, ids, 1), nullptr) << weft_error();
  EXPECT_EQ(weft_generator_reorder(generator, from), WEFT_OK) << weft_error();
  const float *logits = weft_advance(generator, same, 1);
  for (int32_t row = 0; row < 8; ++row)
    expectNear(logits + row * vocabulary, nextOf(model, {8 - row, 9}));
  ASSERT_EQ(weft_generator_rewind(generator, 0), WEFT_OK);
  EXPECT_EQ(weft_generator_reorder(generator, from), WEFT_OK) << weft_error();
  weft_generator_close(generator);
}

// abi E20
TEST_F(Keeping, ADivergedStepChangesNothing) {
  std::vector<float> start = everything(model);
  for (float value : {NAN, INFINITY}) {
    WeftTensor table = {sizeof table};
    ASSERT_EQ(weft_parameter(model, "table", &table), WEFT_OK);
    static_cast<float *>(table.data)[5] = value;
    weft_parameters_changed(model);
    std::vector<float> before = everything(model);
    WeftTrainer *trainer = weft_trainer_open(model, nullptr, 3, 0);
    fillBatch(trainer);
    EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_ERROR_VALUE);
    EXPECT_NE(strstr(weft_error(), "the training has diverged"), nullptr) << weft_error();
    EXPECT_EQ(weft_trainer_steps_taken(trainer), 0);
    std::vector<float> after = everything(model);
    EXPECT_EQ(memcmp(before.data(), after.data(), before.size() * sizeof(float)), 0);
    // put right, the same trainer goes on
    EXPECT_EQ(weft_initialize(model, 3), WEFT_OK);
    EXPECT_EQ(everything(model), start);
    EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_OK) << weft_error();
    EXPECT_NE(everything(model), start);
    EXPECT_EQ(weft_initialize(model, 3), WEFT_OK);
    weft_trainer_close(trainer);
  }
}

// abi E21
TEST_F(Keeping, ATrainingGoesOnFromItsFolder) {
  constexpr int64_t steps = 12;
  auto train = [&](WeftTrainer *trainer, int64_t first, int64_t last) {
    std::vector<double> losses;
    for (int64_t i = first; i <= last; ++i) {
      fillBatch(trainer, 2, 4, static_cast<int32_t>(i));
      WeftStep step = {sizeof step};
      EXPECT_EQ(weft_trainer_step(trainer, &step), WEFT_OK) << weft_error();
      losses.push_back(step.loss);
    }
    return losses;
  };
  WeftTrainer *whole = weft_trainer_open(model, "train", steps, 9);
  train(whole, 1, 5);
  ASSERT_EQ(weft_trainer_save(whole, (folder / "run").c_str()), WEFT_OK) << weft_error();
  std::vector<double> expected = train(whole, 6, steps);
  std::vector<float> end = everything(model);
  weft_trainer_close(whole);

  WeftModel *other = openModel();
  ASSERT_EQ(weft_initialize(other, 77), WEFT_OK);
  WeftTrainer *resumed = weft_trainer_open(other, "train", steps, 9);
  ASSERT_EQ(weft_trainer_load(resumed, (folder / "run").c_str()), WEFT_OK) << weft_error();
  EXPECT_EQ(weft_trainer_steps_taken(resumed), 5);
  EXPECT_EQ(train(resumed, 6, steps), expected);
  EXPECT_EQ(everything(other), end);
  EXPECT_EQ(weft_trainer_step(resumed, nullptr), WEFT_ERROR_USAGE); // it is over

  // what it is not for
  std::vector<float> before = everything(other);
  for (auto [total, seed, said] :
       {std::tuple{steps, uint64_t(8), "the seed 9"}, {4, 9, "step 5"}}) {
    WeftTrainer *wrong = weft_trainer_open(other, nullptr, total, seed);
    EXPECT_EQ(weft_trainer_load(wrong, (folder / "run/step-5").c_str()), WEFT_ERROR_VALUE);
    EXPECT_NE(strstr(weft_error(), said), nullptr) << weft_error();
    EXPECT_EQ(weft_trainer_steps_taken(wrong), 0);
    weft_trainer_close(wrong);
  }
  writeAll(folder / "run/step-5/optimizer.safetensors", "no tensors");
  EXPECT_EQ(weft_trainer_load(resumed, (folder / "run").c_str()), WEFT_ERROR_FILE);
  EXPECT_EQ(everything(other), before);
  weft_trainer_close(resumed);
  weft_close(other);
}

// abi E22
TEST_F(Keeping, ADamagedCheckpointIsAWarningThatNothingPrints) {
  WeftTrainer *trainer = weft_trainer_open(model, nullptr, 5, 0);
  fillBatch(trainer);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(weft_trainer_save(trainer, (folder / "run").c_str()), WEFT_OK) << weft_error();
    ASSERT_EQ(weft_trainer_step(trainer, nullptr), WEFT_OK);
  }
  EXPECT_STREQ(weft_warning(), "");
  std::filesystem::resize_file(folder / "run/step-1/parameters.safetensors", 100);
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_EQ(weft_load(model, (folder / "run").c_str()), WEFT_OK) << weft_error();
  std::string said = weft_warning();
  EXPECT_EQ(weft_trainer_load(trainer, (folder / "run").c_str()), WEFT_OK) << weft_error();
  EXPECT_EQ(weft_warning(), said);
  EXPECT_EQ(weft_trainer_steps_taken(trainer), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
  EXPECT_NE(said.find("step-1"), std::string::npos) << said;
  EXPECT_NE(said.find("step-0 is taken"), std::string::npos) << said;
  EXPECT_STREQ(weft_error(), "");
  weft_threads(model); // the next call
  EXPECT_STREQ(weft_warning(), "");
  weft_trainer_close(trainer);
}

// abi E23
TEST_F(Keeping, TextComesInWholeCharacters) {
  WeftTokenizer *tokenizer = weft_tokenizer_open("byte");
  WeftText *text = weft_text_open(tokenizer);
  weft_tokenizer_close(tokenizer);
  std::string whole = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" + std::string(1, '\0') + "z", given;
  for (char byte : whole) {
    int64_t bytes = -1;
    const char *more = weft_text_push(text, static_cast<unsigned char>(byte), &bytes);
    ASSERT_NE(more, nullptr) << weft_error();
    EXPECT_EQ(more[bytes], 0);
    given.append(more, static_cast<size_t>(bytes));
    EXPECT_TRUE(whole.rfind(given, 0) == 0);
    unsigned char next = given.size() < whole.size() ? whole[given.size()] : 0;
    EXPECT_NE(next & 0xc0, 0x80) << "a character was cut after " << given.size() << " bytes";
  }
  EXPECT_EQ(given, whole);
  // broken: one that never ends, and one that was none
  EXPECT_STREQ(weft_text_push(text, 0xe2, nullptr), "");
  EXPECT_STREQ(weft_text_push(text, 'x', nullptr), "\xef\xbf\xbdx");
  EXPECT_STREQ(weft_text_push(text, 0xe2, nullptr), "");
  EXPECT_STREQ(weft_text_finish(text, nullptr), "\xef\xbf\xbd");
  EXPECT_STREQ(weft_text_finish(text, nullptr), "");
  EXPECT_STREQ(weft_text_push(text, 'y', nullptr), "y");
  weft_text_close(text);
}

// abi E24
TEST_F(Keeping, StructuresOfLaterHeadersAreLarger) {
  struct {
    WeftStep known = {sizeof(WeftStep) + sizeof(int64_t)};
    int64_t more = 77;
  } step;
  struct {
    WeftSampling known = {sizeof(WeftSampling) + sizeof(int64_t)};
    int64_t more = 0;
  } sampling;
  WeftTrainer *trainer = weft_trainer_open(model, nullptr, 5, 0);
  fillBatch(trainer);
  EXPECT_EQ(weft_trainer_step(trainer, &step.known), WEFT_OK) << weft_error();
  EXPECT_GT(step.known.loss, 0);
  EXPECT_EQ(step.known.size, sizeof step);
  EXPECT_EQ(step.more, 0); // what the library does not know
  weft_trainer_close(trainer);
  const float logits[] = {0, 2, 1};
  EXPECT_EQ(weft_sample(logits, 3, &sampling.known, 0), 1) << weft_error();
}

// abi E1, E25
TEST_F(Keeping, TheTableHasEveryFunction) {
  EXPECT_EQ(weft_version(), uint32_t(WEFT_API_VERSION));
  const WeftApi *api = weft_api();
  ASSERT_GE(api->size, sizeof(WeftApi));
  std::vector<std::string> names = declaredFunctions();
  ASSERT_EQ(names.back(), "weft_api");
  ASSERT_EQ(sizeof(WeftApi), names.size() * sizeof(void *)); // its size, and all but weft_api
  auto *functions = reinterpret_cast<void *const *>(api) + 1;
  for (size_t i = 0; i + 1 < names.size(); ++i)
    EXPECT_NE(functions[i], nullptr) << names[i];
  EXPECT_EQ(api->open, weft_open);
  EXPECT_EQ(api->text_finish, weft_text_finish);
  EXPECT_EQ(api->version(), weft_version());
}
