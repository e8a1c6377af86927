// What the tests of weft.h share: one of each kind of object, on the model of BigramProgram.cpp.
#ifndef WEFT_TESTS_UNIT_RUNTIME_API_INTERFACE_H
#define WEFT_TESTS_UNIT_RUNTIME_API_INTERFACE_H

#include "runtime/weft.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace weft::interface {

constexpr int64_t vocabulary = 128;

inline WeftModel *openModel(int32_t threads = 2) {
  WeftOptions options = {sizeof options, threads, 0, nullptr};
  WeftModel *model = weft_open(&options);
  EXPECT_NE(model, nullptr) << weft_error();
  EXPECT_EQ(weft_initialize(model, 3), WEFT_OK);
  return model;
}

inline WeftTensor input(WeftRun *run, const char *name) {
  WeftTensor tensor = {sizeof tensor};
  EXPECT_EQ(weft_run_input(run, name, &tensor), WEFT_OK) << weft_error();
  return tensor;
}

inline std::vector<float> output(WeftRun *run, const char *name) {
  WeftTensor tensor = {sizeof tensor};
  EXPECT_EQ(weft_run_output(run, name, &tensor), WEFT_OK) << weft_error();
  auto *values = static_cast<float *>(tensor.data);
  return {values, values + tensor.count};
}

inline std::vector<float> parameter(WeftModel *model, const char *name) {
  WeftTensor tensor = {sizeof tensor};
  EXPECT_EQ(weft_parameter(model, name, &tensor), WEFT_OK) << weft_error();
  auto *values = static_cast<float *>(tensor.data);
  return {values, values + tensor.count};
}

/// The values that a training of the model changes, its optimizer's too.
inline std::vector<float> everything(WeftModel *model) {
  std::vector<float> all;
  for (const char *name : {"table", "layer.bias", "before"})
    for (std::string prefix : {"", "adam.mean.", "adam.square."}) {
      std::vector<float> values = parameter(model, (prefix + name).c_str());
      all.insert(all.end(), values.begin(), values.end());
    }
  return all;
}

inline void setSizes(WeftRun *run, int64_t batch, int64_t seq) {
  EXPECT_EQ(weft_run_size(run, "batch", batch), WEFT_OK) << weft_error();
  EXPECT_EQ(weft_run_size(run, "seq", seq), WEFT_OK) << weft_error();
}

/// The logits of every position of a sequence, by the whole entry.
inline std::vector<float> logitsOf(WeftModel *model, const std::vector<int32_t> &ids) {
  WeftRun *run = weft_run_open(model, "logits");
  setSizes(run, 1, static_cast<int64_t>(ids.size()));
  EXPECT_EQ(weft_run_allocate(run), WEFT_OK) << weft_error();
  memcpy(input(run, "tokens").data, ids.data(), ids.size() * 4);
  EXPECT_EQ(weft_run(run, 0, 0), WEFT_OK) << weft_error();
  std::vector<float> all = output(run, "output");
  weft_run_close(run);
  return all;
}

/// The last row of them.
inline std::vector<float> nextOf(WeftModel *model, const std::vector<int32_t> &ids) {
  std::vector<float> all = logitsOf(model, ids);
  return {all.end() - vocabulary, all.end()};
}

/// Fills the batch of a trainer with ids that count up.
inline void fillBatch(WeftTrainer *trainer, int64_t batch = 2, int64_t seq = 4, int32_t first = 0) {
  WeftRun *run = weft_trainer_batch(trainer);
  setSizes(run, batch, seq);
  EXPECT_EQ(weft_run_allocate(run), WEFT_OK) << weft_error();
  for (int64_t i = 0; i < batch * seq; ++i) {
    static_cast<int32_t *>(input(run, "tokens").data)[i] = static_cast<int32_t>((first + i) % 16);
    static_cast<int32_t *>(input(run, "next").data)[i] = static_cast<int32_t>((first + i + 1) % 16);
  }
}

/// One of each.
struct Objects {
  WeftModel *model = openModel();
  WeftRun *run = weft_run_open(model, "logits"), *fresh = weft_run_open(model, "logits");
  WeftTrainer *trainer = weft_trainer_open(model, nullptr, 3, 0);
  WeftGenerator *generator = weft_generator_open(model, nullptr, 8);
  WeftTokenizer *tokenizer = weft_tokenizer_open("byte");
  WeftText *text = weft_text_open(tokenizer);
  std::vector<float> logits, parameters;

  Objects() {
    setSizes(run, 1, 2);
    EXPECT_EQ(weft_run_allocate(run), WEFT_OK) << weft_error();
    fillBatch(trainer);
    int32_t ids[] = {5, 17};
    EXPECT_NE(weft_advance(generator, ids, 2), nullptr) << weft_error();
    EXPECT_EQ(weft_run(run, 0, 0), WEFT_OK) << weft_error();
    logits = output(run, "output");
    parameters = everything(model);
  }
  ~Objects() {
    weft_close(model); // in any order
    weft_text_close(text);
    weft_tokenizer_close(tokenizer);
    weft_generator_close(generator);
    weft_trainer_close(trainer);
    weft_run_close(fresh);
    weft_run_close(run);
  }
  Objects(const Objects &) = delete;

  /// Everything is as it was, and works.
  void expectIntact() {
    EXPECT_EQ(weft_run(run, 0, 0), WEFT_OK) << weft_error();
    EXPECT_EQ(output(run, "output"), logits);
    EXPECT_EQ(everything(model), parameters);
    EXPECT_EQ(weft_generator_known(generator), 2);
    EXPECT_EQ(weft_trainer_steps_taken(trainer), 0);
    WeftGenerator *other = weft_generator_branch(generator, nullptr, 1);
    int32_t id = 3;
    const float *next = weft_advance(other, &id, 1);
    ASSERT_NE(next, nullptr) << weft_error();
    std::vector<float> expected = nextOf(model, {5, 17, 3});
    for (int64_t i = 0; i < vocabulary; ++i)
      ASSERT_NEAR(next[i], expected[static_cast<size_t>(i)], 1e-6);
    weft_generator_close(other);
  }
};

/// The functions that weft.h declares.
std::vector<std::string> declaredFunctions();

} // namespace weft::interface
#endif
