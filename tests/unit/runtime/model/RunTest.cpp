// Running entries: results, repacking after parameters change, index checks, threads.
#include "runtime/model/EntryRun.h"
#include "tests/unit/runtime/BigramFacts.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {
constexpr int64_t V = 128;

std::unique_ptr<Model> open(int threads) {
  auto model = Model::open(weft_program, {.threads = threads});
  EXPECT_TRUE(model) << model.error().message;
  (*model)->parameters.initialize(*(*model)->pool, 1);
  return std::move(*model);
}

EntryRun prepared(Model &model, const char *entry, int64_t batch, int64_t seq) {
  EntryRun run(model, *model.entry(entry));
  for (size_t i = 0; i < run.entry().inputs.size(); ++i)
    EXPECT_TRUE(run.bindShape(static_cast<int>(i), {batch, seq}, "test"));
  EXPECT_TRUE(run.allocate());
  for (size_t i = 0; i < run.entry().inputs.size(); ++i)
    for (int64_t j = 0; j < batch * seq; ++j)
      run.input<int32_t>(static_cast<int>(i))[j] =
          static_cast<int32_t>((j * 7 + static_cast<int64_t>(i)) % V);
  return run;
}
} // namespace

TEST(Run, ThreadsDoNotChangeResults) {
  auto one = open(1), three = open(3);
  EntryRun a = prepared(*one, "logits", 5, 31), b = prepared(*three, "logits", 5, 31);
  ASSERT_TRUE(a.run());
  ASSERT_TRUE(b.run());
  for (int64_t i = 0; i < 5 * 31 * V; ++i)
    ASSERT_EQ(a.output<float>(0)[i], b.output<float>(0)[i]);
}

TEST(Run, RepacksWhenParametersChange) {
  auto model = open(1);
  EntryRun run = prepared(*model, "logits", 1, 2);
  ASSERT_TRUE(run.run());
  float before = run.output<float>(0)[0];
  static_cast<float *>(model->parameters.data(1))[0] += 1;
  model->parameters.changed();
  ASSERT_TRUE(run.run());
  EXPECT_NEAR(run.output<float>(0)[0], before + 1, 1e-6);
}

TEST(Run, EntriesThatPackAlikeShareIt) {
  auto model = open(1);
  EntryRun logits = prepared(*model, "logits", 1, 2), loss = prepared(*model, "loss", 1, 2);
  ASSERT_TRUE(logits.run());
  ASSERT_TRUE(loss.run());
  float before = loss.output<float>(0)[0];
  auto shared = model->packed.at(0).lock();
  ASSERT_TRUE(shared);
  reinterpret_cast<float *>(shared->memory.data())[0] += 1; // nobody packs it again
  ASSERT_TRUE(loss.run());
  EXPECT_NE(loss.output<float>(0)[0], before);
  model->parameters.changed();
  ASSERT_TRUE(logits.run()); // for both
  ASSERT_TRUE(loss.run());
  EXPECT_EQ(loss.output<float>(0)[0], before);
}

namespace {
int packings = 0;
void (*packed)(const WeftCall *) = nullptr;

/// The program, whose `logits` counts how often it packs, a weight that varies with `seq`.
class Varying {
public:
  Varying() {
    std::string one = "\"of\": 1", varies = one + ", \"varies\": [1]";
    json.replace(json.find(one), one.size(), varies);
    program.json = json.c_str();
    program.json_size = json.size();
    for (const WeftEntryCode *&rows : program.code)
      if (rows) {
        code.assign(rows, rows + program.entry_count);
        rows = code.data();
      }
    packings = 0;
    packed = code[0].prepare;
    code[0].prepare = [](const WeftCall *call) {
      ++packings;
      packed(call);
    };
  }
  std::string json = bigram::facts();
  std::vector<WeftEntryCode> code;
  WeftProgram program = weft_program;
};
} // namespace

TEST(Run, WhatVariesIsARunsOwn) {
  Varying varying;
  auto model = Model::open(varying.program, {.threads = 1});
  ASSERT_TRUE(model) << model.error().message;
  (*model)->parameters.initialize(*(*model)->pool, 1);
  EntryRun run = prepared(**model, "logits", 1, 2);
  auto counts = [](EntryRun &each) {
    EXPECT_TRUE(each.run());
    return packings;
  };
  auto resized = [&](int64_t batch, int64_t seq) {
    run.forgetSizes();
    EXPECT_TRUE(run.bindShape(0, {batch, seq}, "test"));
    EXPECT_TRUE(run.allocate());
    std::fill_n(run.input<int32_t>(0), batch * seq, 1);
    return counts(run);
  };
  EXPECT_EQ(counts(run), 1);
  EXPECT_EQ(counts(run), 1);
  EntryRun other = prepared(**model, "logits", 1, 2);
  EXPECT_EQ(counts(other), 2); // it may be at another size by now
  EXPECT_EQ(counts(run), 2);
  EXPECT_EQ(resized(2, 2), 2); // of another dimension
  EXPECT_EQ(resized(2, 3), 3);
  EXPECT_EQ(resized(2, 2), 4);
  (*model)->parameters.changed();
  EXPECT_EQ(counts(run), 5);
}

TEST(Run, WhatIsCancelledWhilePackingIsPackedAgain) {
  Varying varying;
  auto model = Model::open(varying.program, {.threads = 1});
  ASSERT_TRUE(model);
  (*model)->parameters.initialize(*(*model)->pool, 1);
  EntryRun run = prepared(**model, "logits", 1, 2);
  ASSERT_TRUE(run.run());
  float first = run.output<float>(0)[0];
  static Pool *pool = (*model)->pool.get();
  auto counting = varying.code[0].prepare;
  varying.code[0].prepare = [](const WeftCall *call) { // half of it
    reinterpret_cast<float *>(call->packed[0])[0] += 1;
    pool->cancel(true);
    weft_launch(call, [](const int64_t *, void *const *, int64_t, int64_t, char *) {}, nullptr, 1);
  };
  run.forgetSizes();
  ASSERT_TRUE(run.bindShape(0, {1, 3}, "test"));
  ASSERT_TRUE(run.allocate());
  std::fill_n(run.input<int32_t>(0), 3, 0);
  EXPECT_FALSE(run.run());
  pool->cancel(false);
  varying.code[0].prepare = counting;
  run.forgetSizes();
  ASSERT_TRUE(run.bindShape(0, {1, 2}, "test"));
  ASSERT_TRUE(run.allocate());
  run.input<int32_t>(0)[0] = 0, run.input<int32_t>(0)[1] = 7;
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.output<float>(0)[0], first);
}

TEST(Run, GradientAgreesWithDifferences) {
  auto model = open(2);
  EntryRun gradient = prepared(*model, "loss.gradient", 2, 3),
           loss = prepared(*model, "loss", 2, 3);
  ASSERT_TRUE(gradient.run());
  for (int parameter = 0; parameter < 3; ++parameter) {
    int64_t at = parameter == 1 ? 5 : 7 * V + 9;
    float &value = static_cast<float *>(model->parameters.data(parameter))[at], kept = value;
    double sides[2];
    for (int side = 0; side < 2; ++side) {
      value = kept + (side ? 0.01f : -0.01f);
      model->parameters.changed();
      ASSERT_TRUE(loss.run());
      sides[side] = loss.output<float>(0)[0];
    }
    value = kept;
    EXPECT_NEAR(gradient.output<float>(parameter + 2)[at], (sides[1] - sides[0]) / 0.02, 1e-4);
  }
}

TEST(Run, RefusesIndicesOutOfRange) {
  auto model = open(1);
  EntryRun run = prepared(*model, "logits", 2, 3);
  run.input<int32_t>(0)[4] = V;
  Status status = run.run();
  ASSERT_FALSE(status);
  EXPECT_EQ(
      status.error().message,
      "input tokens: the value at [1, 1] is 128, but vocab has size 128, so values are 0 to 127");
  run.input<int32_t>(0)[4] = -1;
  EXPECT_FALSE(run.run());
}

TEST(Model, UnknownEntryListsThoseThereAre) {
  auto model = open(1);
  auto entry = model->entry("logit");
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().message, "no entry `logit`; this program has `logits`, `loss`, "
                                   "`loss.gradient`, `train.update` and `generate.advance`");
}

TEST(Model, ForcedInstructionSets) {
  auto unknown = Model::open(weft_program, {.isa = "sse9"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::Usage);
  EXPECT_FALSE(Model::open(weft_program, {.isa = "avx512"})); // the program holds none
  EXPECT_TRUE(Model::open(weft_program, {.isa = "x86-64-v3"}));
}
