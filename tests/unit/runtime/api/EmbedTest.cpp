// weft.h from outside: through a shared library, as a program that embeds a model sees it.
#include "runtime/weft.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {
constexpr int64_t V = 128;

class EmbedTest : public testing::Test {
protected:
  EmbedTest() {
    WeftOptions options = {sizeof options};
    options.threads = 2;
    model = weft_open(&options);
    EXPECT_NE(model, nullptr) << weft_error();
    EXPECT_EQ(weft_initialize(model, 3), WEFT_OK);
  }
  ~EmbedTest() override { weft_close(model); }
  WeftTensor parameter(const char *name) {
    WeftTensor tensor = {sizeof tensor};
    weft_parameter(model, name, &tensor);
    return tensor;
  }
  static WeftTensor input(WeftRun *run, const char *name) {
    WeftTensor tensor = {sizeof tensor};
    weft_run_input(run, name, &tensor);
    return tensor;
  }
  static WeftTensor output(WeftRun *run, const char *name) {
    WeftTensor tensor = {sizeof tensor};
    weft_run_output(run, name, &tensor);
    return tensor;
  }
  static void expectError(const std::string &message) {
    EXPECT_NE(std::string(weft_error()).find(message), std::string::npos) << weft_error();
  }
  /// The logits of every position, by the whole entry.
  std::vector<float> logitsOf(const std::vector<int32_t> &ids) {
    WeftRun *run = weft_run_open(model, "logits");
    EXPECT_EQ(weft_run_size(run, "batch", 1), WEFT_OK);
    EXPECT_EQ(weft_run_size(run, "seq", static_cast<int64_t>(ids.size())), WEFT_OK);
    EXPECT_EQ(weft_run_allocate(run), WEFT_OK) << weft_error();
    memcpy(input(run, "tokens").data, ids.data(), ids.size() * 4);
    EXPECT_EQ(weft_run(run, 0, 0), WEFT_OK) << weft_error();
    WeftTensor logits = output(run, "output");
    EXPECT_EQ(logits.rank, 3);
    EXPECT_EQ(logits.shape[1], static_cast<int64_t>(ids.size()));
    auto *values = static_cast<float *>(logits.data);
    std::vector<float> all(values, values + logits.count);
    weft_run_close(run);
    return all;
  }
  WeftModel *model;
  TemporaryFolder folder;
};
} // namespace

TEST_F(EmbedTest, FactsAndThreads) {
  EXPECT_NE(strstr(weft_facts(model), "\"bigram.weft\""), nullptr);
  EXPECT_EQ(weft_threads(model), 2);
  WeftOptions options = {sizeof options};
  options.isa = "mips";
  EXPECT_EQ(weft_open(&options), nullptr);
  expectError("mips");
}

TEST_F(EmbedTest, ParametersToFilesAndBack) {
  WeftTensor bias = parameter("layer.bias");
  ASSERT_NE(bias.data, nullptr);
  EXPECT_EQ(bias.element, WEFT_FLOAT);
  EXPECT_EQ(bias.rank, 2);
  EXPECT_EQ(bias.shape[0], 2);
  EXPECT_EQ(bias.count, 2 * V);
  ASSERT_EQ(weft_save(model, (folder / "w").c_str()), WEFT_OK) << weft_error();
  float kept = static_cast<float *>(bias.data)[1];
  static_cast<float *>(bias.data)[1] = 7;
  ASSERT_EQ(weft_load(model, (folder / "w").c_str()), WEFT_OK) << weft_error();
  EXPECT_EQ(static_cast<float *>(bias.data)[1], kept);
  EXPECT_EQ(parameter("nothing").data, nullptr);
  expectError("no parameter `nothing`");
  EXPECT_EQ(weft_load(model, (folder / "absent").c_str()), WEFT_ERROR_FILE);
  EXPECT_EQ(weft_save(model, (folder / "absent/w").c_str()), WEFT_ERROR_FILE);
}

TEST_F(EmbedTest, ChangedParametersAreSeen) {
  float before = logitsOf({1})[0];
  static_cast<float *>(parameter("layer.bias").data)[0] += 1;
  weft_parameters_changed(model);
  EXPECT_NEAR(logitsOf({1})[0], before + 1, 1e-6);
}

TEST_F(EmbedTest, RunsOtherSizesWithTheSameRun) {
  WeftRun *run = weft_run_open(model, "logits");
  EXPECT_EQ(weft_run(run, 0, 0), WEFT_ERROR_USAGE);
  expectError("weft_run_allocate() comes first");
  for (int64_t seq : {3, 7, 2}) {
    ASSERT_EQ(weft_run_size(run, "batch", 1), WEFT_OK);
    ASSERT_EQ(weft_run_size(run, "seq", seq), WEFT_OK);
    ASSERT_EQ(weft_run_allocate(run), WEFT_OK) << weft_error();
    EXPECT_EQ(input(run, "tokens").count, seq);
    EXPECT_EQ(weft_run(run, 0, 0), WEFT_OK);
  }
  EXPECT_EQ(input(run, "token").data, nullptr);
  expectError("entry logits has no input `token`; it has `tokens`");
  static_cast<int32_t *>(input(run, "tokens").data)[1] = 500;
  EXPECT_EQ(weft_run(run, 0, 0), WEFT_ERROR_VALUE);
  expectError("the value at [0, 1] is 500, but vocab has size 128");
  EXPECT_EQ(weft_run_size(run, "sequence", 4), WEFT_ERROR_NAME);
  expectError("no dimension `sequence`");
  EXPECT_EQ(weft_run_size(run, "vocab", 4), WEFT_ERROR_SIZE);
  EXPECT_EQ(weft_run_size(run, "seq", 33), WEFT_ERROR_SIZE);
  expectError("this build allows seq <= 32");
  weft_run_close(run);
  EXPECT_EQ(weft_run_open(model, "logit"), nullptr);
  expectError("no entry `logit`");
}

TEST_F(EmbedTest, CachesAgreeWithTheWholeEntry) {
  std::vector<int32_t> ids = {5, 17, 3, 99, 0, 64, 64, 2};
  std::vector<float> whole = logitsOf(ids);
  WeftGenerator *generator = weft_generator_open(model, nullptr, 8);
  ASSERT_NE(generator, nullptr) << weft_error();
  ASSERT_EQ(weft_generator_vocabulary(generator), V);
  for (int round = 0; round < 2; ++round) { // forgotten positions leave no trace
    for (int64_t known = 0; known < 8;) {
      int64_t count = known == 0 ? 3 + round : 1;
      const float *logits = weft_advance(generator, ids.data() + known, count);
      ASSERT_NE(logits, nullptr) << weft_error();
      known += count;
      EXPECT_EQ(weft_generator_known(generator), known);
      for (int64_t v = 0; v < V; ++v)
        EXPECT_NEAR(logits[v], whole[static_cast<size_t>((known - 1) * V + v)], 1e-6);
    }
    EXPECT_EQ(weft_advance(generator, ids.data(), 1), nullptr); // full
    EXPECT_EQ(weft_generator_known(generator), 8);
    EXPECT_EQ(weft_generator_rewind(generator, 0), WEFT_OK);
  }
  int32_t wrong = 1000;
  EXPECT_EQ(weft_advance(generator, &wrong, 1), nullptr);
  expectError("is 1000, but vocab has size 128");
  weft_generator_close(generator);
  EXPECT_EQ(weft_generator_open(model, nullptr, 33), nullptr);
  expectError("a capacity of 33 positions: expected 1 to 32 (bigram.weft:2)");
  EXPECT_EQ(weft_generator_open(model, "speak", 8), nullptr);
  expectError("no entry `speak` made by `decode`");
}

TEST_F(EmbedTest, Sampling) {
  float logits[] = {0, 2, 1};
  EXPECT_EQ(weft_sample(logits, 3, nullptr, 0), 1);
  WeftSampling sampling = {sizeof sampling};
  sampling.temperature = 1;
  sampling.top_k = 1;
  EXPECT_EQ(weft_sample(logits, 3, &sampling, 5), 1);
  for (double share : {-0.5, 1.5, std::nan("")}) {
    WeftSampling wrong = sampling;
    wrong.top_p = share;
    EXPECT_EQ(weft_sample(logits, 3, &wrong, 5), -1) << share;
    expectError("top_p and min_p from 0 to 1");
  }
  logits[2] = NAN;
  EXPECT_EQ(weft_sample(logits, 3, &sampling, 5), -1);
  expectError("NaN");
}

TEST_F(EmbedTest, Tokenizers) {
  WeftTokenizer *bytes = weft_tokenizer_open("byte");
  ASSERT_NE(bytes, nullptr);
  int32_t ids[4];
  EXPECT_EQ(weft_encode(bytes, "hello", 5, ids, 4), 5); // one more than fits
  EXPECT_EQ(ids[3], 'l');
  EXPECT_EQ(weft_encode(bytes, "hello", 5, nullptr, 0), 5);
  char text[2];
  EXPECT_EQ(weft_decode(bytes, 'h', text, 2), 1);
  EXPECT_EQ(text[0], 'h');
  char all[4];
  EXPECT_EQ(weft_decode_all(bytes, ids, 4, all, 2), 4);
  EXPECT_EQ(std::string(all, 2), "he");
  EXPECT_EQ(weft_tokenizer_start(bytes), -1);
  EXPECT_EQ(weft_tokenizer_end(bytes), -1);
  EXPECT_EQ(weft_tokenizer_size(bytes), 256);
  weft_tokenizer_close(bytes);
  EXPECT_EQ(weft_tokenizer_open((folder / "absent").c_str()), nullptr);
  writeAll(folder / "vocab.txt",
           "[UNK]\n[CLS]\n[SEP]\nweft\n"); // a folder with a tokenizer of others
  WeftTokenizer *bert = weft_tokenizer_open(folder.path().c_str());
  ASSERT_NE(bert, nullptr) << weft_error();
  EXPECT_EQ(weft_encode(bert, "Weft warp", 9, ids, 4), 2);
  EXPECT_EQ(ids[0], 3);
  EXPECT_EQ(weft_tokenizer_start(bert), 1);
  EXPECT_EQ(weft_tokenizer_end(bert), 2);
  weft_tokenizer_close(bert);
}

/// Gradients and an update, as a trainer of one's own would run them.
TEST_F(EmbedTest, OneCanTrainThroughIt) {
  WeftRun *gradient = weft_run_open(model, "loss.gradient"),
          *update = weft_run_open(model, "train.update");
  ASSERT_TRUE(gradient && update) << weft_error();
  ASSERT_EQ(weft_run_size(gradient, "batch", 2), WEFT_OK);
  ASSERT_EQ(weft_run_size(gradient, "seq", 4), WEFT_OK);
  ASSERT_EQ(weft_run_allocate(gradient), WEFT_OK) << weft_error();
  ASSERT_EQ(weft_run_allocate(update), WEFT_OK) << weft_error();
  float first = 0, last = 0;
  for (int step = 1; step <= 30; ++step) {
    ASSERT_EQ(weft_run(gradient, 0, 0), WEFT_OK) << weft_error(); // all ids are 0
    last = *static_cast<float *>(output(gradient, "loss").data);
    first = step == 1 ? last : first;
    for (const char *name : {"table", "layer.bias", "before"}) {
      WeftTensor from = output(gradient, (std::string("d.") + name).c_str());
      memcpy(input(update, name).data, from.data, static_cast<size_t>(from.count) * 4);
    }
    *static_cast<int32_t *>(input(update, "step").data) = step;
    *static_cast<int32_t *>(input(update, "steps").data) = 30;
    ASSERT_EQ(weft_run(update, 0, static_cast<uint64_t>(step)), WEFT_OK) << weft_error();
  }
  EXPECT_LT(last, first / 2);
  weft_run_close(gradient);
  weft_run_close(update);
}

/// The same training by the trainer of the interface: loss by loss what the two entries gave.
TEST_F(EmbedTest, TrainerOnBatchesOfOnesOwn) {
  EXPECT_EQ(weft_trainer_open(model, "absent", 30, 0), nullptr);
  expectError("no training `absent`; this model has `train`");
  EXPECT_EQ(weft_trainer_open(model, nullptr, 0, 0), nullptr);
  expectError("0 steps");
  WeftTrainer *trainer = weft_trainer_open(model, nullptr, 30, 0);
  ASSERT_NE(trainer, nullptr) << weft_error();
  EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_ERROR_USAGE);
  expectError("weft_run_allocate()");
  WeftRun *batch = weft_trainer_batch(trainer);
  float *table = static_cast<float *>(parameter("table").data);
  float before = table[0];
  WeftStep step = {sizeof step}, first = {sizeof first};
  for (int i = 1; i <= 30; ++i) {
    if (i == 1 || i == 16) { // other sizes: memory moves
      ASSERT_EQ(weft_run_size(batch, "batch", i), WEFT_OK);
      ASSERT_EQ(weft_run_size(batch, "seq", 4), WEFT_OK);
      ASSERT_EQ(weft_run_allocate(batch), WEFT_OK) << weft_error(); // all ids are 0
    }
    ASSERT_EQ(weft_trainer_step(trainer, &step), WEFT_OK) << weft_error();
    EXPECT_EQ(weft_trainer_steps_taken(trainer), i);
    first = i == 1 ? step : first;
    EXPECT_GT(step.norm, 0);
    EXPECT_GT(step.rate, 0);
  }
  EXPECT_LT(step.loss, first.loss / 2);
  EXPECT_NE(table[0], before);
  EXPECT_EQ(weft_trainer_step(trainer, &step), WEFT_ERROR_USAGE);
  expectError("is over");
  weft_trainer_close(trainer);
}

TEST_F(EmbedTest, ATrainingThatDivergesSaysSo) {
  static_cast<float *>(parameter("table").data)[0] = NAN;
  weft_parameters_changed(model);
  WeftTrainer *trainer = weft_trainer_open(model, "train", 3, 0);
  WeftRun *batch = weft_trainer_batch(trainer);
  ASSERT_EQ(weft_run_size(batch, "batch", 1), WEFT_OK);
  ASSERT_EQ(weft_run_size(batch, "seq", 2), WEFT_OK);
  ASSERT_EQ(weft_run_allocate(batch), WEFT_OK);
  EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_ERROR_VALUE);
  expectError("the loss of step 1 is NaN");
  EXPECT_EQ(weft_trainer_steps_taken(trainer), 0);
  weft_trainer_close(trainer);
}
