// Attention and its gradient against the interpreter in f64: sizes around every tile, masks,
// grouped heads, layouts.
#include "AttentionCase.h"
#include "EveryIsa.h"

#include <cmath>

using namespace weft;
using namespace weft::test;

namespace {

struct AttentionTest : EveryIsa {
  /// Compiles once and runs for each of `all`.
  void check(const AttentionCase &attention, const std::vector<Sizes> &all,
             const std::function<double(const Index &)> &mask = nullptr, double error = 1e-5) {
    Kernel forward(GetParam(), attention.forwardKernel());
    Kernel backward(GetParam(), attention.gradientKernel());
    ASSERT_TRUE(forward.ok() && backward.ok());
    for (const Sizes &given : all) {
      const Sizes sizes = attention.sizes(given);
      SCOPED_TRACE(textOf(sizes));
      std::vector<Tensor> inputs = attention.sides(sizes, /*drawn=*/1);
      if (!attention.operand.empty())
        inputs.push_back(Tensor::of(attention.operand, sizes, mask));
      Tensor gradient = Tensor::normal(attention.output(), sizes, 4);
      std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
      ASSERT_EQ(want.size(), 5u);
      std::vector<Tensor> got = forward.run(sizes, inputs);
      EXPECT_TRUE(close(got[0], want[0], error)) << "output";
      EXPECT_TRUE(close(got[1], want[1], error)) << "logsumexp";
      inputs.insert(inputs.end(), {want[0], want[1], gradient});
      // Where a row sees one key dq and dk are 0: what cancels there is as large as dv.
      got = backward.run(sizes, inputs);
      EXPECT_TRUE(close(joined(got), joined({want.begin() + 2, want.end()}), 10 * error))
          << "gradients";
    }
  }
};

// One head, everything at run time.
const AttentionCase plain{
    .dims = {"s", "t", "d", "w"}, .q = {"s", "d"}, .k = {"t", "d"}, .v = {"t", "w"}};

Sizes sizesOf(int64_t s, int64_t t, int64_t d, int64_t w) {
  return {{"s", s}, {"t", t}, {"d", d}, {"w", w}};
}

TEST_P(AttentionTest, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 3, 5, 6, 7, 8, 9, 23, 24, 25, 47, 48, 49, 191, 192, 193})
    all.push_back(sizesOf(s, 17, 8, 8));
  for (int64_t t : {0, 1, 15, 16, 17, 33, 47, 48, 49, 95, 96, 97, 255, 256, 257, 300})
    all.push_back(sizesOf(5, t, 8, 8));
  for (int64_t d : {1, 7, 8, 9, 15, 16, 17, 31, 33, 64, 80})
    all.push_back(sizesOf(9, 20, d, 5)), all.push_back(sizesOf(9, 20, 5, d));
  all.push_back(sizesOf(0, 4, 4, 4));
  check(plain, all);
}

// 64 is a shape of its own: four panels of values.
const AttentionCase heads{.dims = {"b", "s", "t", "h=3", "d=64"},
                          .q = {"b", "s", "h", "d"},
                          .k = {"b", "t", "h", "d"},
                          .v = {"b", "t", "h", "d"}};

TEST_P(AttentionTest, HeadsBesideEachOther) {
  check(heads, {{{"b", 2}, {"s", 37}, {"t", 70}}, {{"b", 1}, {"s", 1}, {"t", 33}}});
}

// So few queries that keys and values are read where they lie, up to more than that; vectors along
// the depth end in the middle of one.
TEST_P(AttentionTest, FewQueries) {
  for (const char *depth : {"d=24", "d=5"}) {
    AttentionCase attention{.dims = {"b", "s", "t", "h=2", depth, "w=32"},
                            .q = {"b", "s", "h", "d"},
                            .k = {"b", "t", "h", "d"},
                            .v = {"b", "t", "h", "w"}};
    std::vector<Sizes> all;
    for (int64_t s : {1, 2, 7, 8, 9})
      for (int64_t t : {1, 15, 17, 40, 300})
        all.push_back({{"b", 2}, {"s", s}, {"t", t}});
    check(attention, all);
  }
}

TEST_P(AttentionTest, Causal) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 16, 24, 25, 64, 65, 200, 300})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
}

// The queries are the last of the keys, as when a text grows.
TEST_P(AttentionTest, KeysKnownBefore) {
  AttentionCase attention = causalAfter("known", heads);
  attention.dims.emplace_back("known");
  check(attention, {{{"b", 2}, {"s", 1}, {"t", 301}, {"known", 300}},
                    {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
}

TEST_P(AttentionTest, Window) {
  check(windowed(heads), {{{"b", 1}, {"s", 300}, {"t", 300}}, {{"b", 1}, {"s", 19}, {"t", 21}}});
}

double scattered(const Index &at) {
  uint64_t hash = 1;
  for (const auto &[dim, position] : at)
    hash = (hash ^ uint64_t(position)) * 0x9e3779b97f4a7c15;
  return hash >> 62 != 0;
}

// Some rows keep nothing: every third.
TEST_P(AttentionTest, MaskThatIsData) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 50}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) { return at.at("s") % 3 == 0 ? 1 : scattered(at); });
}

// A mask over keys alone, stored across the batch; the last position keeps nothing at all.
TEST_P(AttentionTest, PaddingMask) {
  AttentionCase attention = causal(heads);
  attention.operand = {"t", "b"};
  attention.maskDims = {"t", "s", "b"};
  attention.mask.replace(attention.mask.find("%mask"), 5, "%c");
  attention.mask += "\n%mask = model.and %c, %m : !model.tensor<i1, t, s>, !model.tensor<i1, t, b>";
  check(attention, {{{"b", 3}, {"s", 40}, {"t", 40}}},
        [](const Index &at) { return at.at("b") < 2 && at.at("t") % 5 != 1; });
}

TEST_P(AttentionTest, GroupedHeads) {
  AttentionCase attention = causal({.dims = {"b", "s", "t", "g=2", "r=3", "d=10"},
                                    .q = {"b", "s", "g", "r", "d"},
                                    .k = {"b", "t", "g", "d"},
                                    .v = {"b", "t", "g", "d"}});
  check(attention, {{{"b", 2}, {"s", 30}, {"t", 30}}, {{"b", 1}, {"s", 100}, {"t", 100}}});
}

// Dimensions that only some of the sides have.
TEST_P(AttentionTest, UnevenDimensions) {
  check({.dims = {"s", "t", "d", "w", "x", "y", "z"},
         .q = {"x", "s", "d"},
         .k = {"y", "t", "d"},
         .v = {"x", "t", "z", "w"}},
        {{{"s", 5}, {"t", 9}, {"d", 6}, {"w", 4}, {"x", 2}, {"y", 3}, {"z", 2}}});
  check({.dims = {"s", "t", "d", "e"},
         .q = {"d", "s", "e"},
         .k = {"e", "t", "d"},
         .v = {"t"},
         .depth = {"d", "e"}},
        {{{"s", 5}, {"t", 9}, {"d", 6}, {"e", 3}}});
}

// Keys that lie as [d][t], parts of caches that could hold 40, and results among others.
TEST_P(AttentionTest, StridedLayouts) {
  AttentionCase attention = causal(heads);
  attention.layouts = {{"q", R"(#kernel.layout<b: "s * 384", s: "384", h: "1", d: "5">)"},
                       {"k", R"(#kernel.layout<b: "40 * 192", t: "1", h: "40 * 64", d: "40">)"},
                       {"v", R"(#kernel.layout<b: "40 * 192", t: "192", h: "64", d: "1">)"},
                       {"output", R"(#kernel.layout<b: "1000 * s", s: "1000", h: "65", d: "1">)"},
                       {"dq", R"(#kernel.layout<b: "s * 384", s: "384", h: "1", d: "5">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

// Scores far apart, and far from zero: of a few hundred, whose rounding the weights show.
TEST_P(AttentionTest, LargeScores) {
  AttentionCase attention = causal(heads);
  attention.scale = "20.0";
  check(attention, {{{"b", 1}, {"s", 70}, {"t", 70}}}, nullptr, 2e-4);
}

// A logsumexp of 1e5 and more says nothing of the differences, which are the weights.
TEST_P(AttentionTest, WeightsOfLargeScores) {
  AttentionCase attention = causal(plain);
  Kernel forward(GetParam(), attention.forwardKernel());
  Kernel backward(GetParam(), attention.gradientKernel());
  ASSERT_TRUE(forward.ok() && backward.ok());
  for (const Sizes &sizes :
       {sizesOf(1, 1, 3, 4), sizesOf(40, 40, 3, 5), sizesOf(130, 130, 3, 17)}) {
    std::vector<Tensor> inputs{Tensor::normal(attention.q, sizes, 1),
                               Tensor::normal(attention.k, sizes, 2),
                               Tensor::normal(attention.v, sizes, 3)};
    for (Tensor *large : {&inputs[0], &inputs[1]})
      for (double &value : large->data)
        value = static_cast<float>(1000 * value);
    Tensor gradient = Tensor::normal(attention.output(), sizes, 4);
    std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
    std::vector<Tensor> got = forward.run(sizes, inputs);
    EXPECT_TRUE(close(got[0], want[0], 1e-4)) << "output";
    inputs.insert(inputs.end(), {got[0], got[1], gradient});
    EXPECT_TRUE(close(backward.run(sizes, inputs)[2], want[4], 1e-4)) << "gradient of v";
  }
}

// exp(-inf - -inf) is NaN, in the rows that see nothing but -inf and in no other; what a mask
// empties is 0.
TEST_P(AttentionTest, ScoresOfMinusInfinity) {
  AttentionCase masked = plain;
  masked.maskDims = masked.operand = {"s", "t"};
  masked.mask = "%mask = model.not %m : !model.tensor<i1, s, t>";
  // Row 0 keeps nothing, row 1 all, row 2 the keys of -inf, row 3 the others.
  auto dropped = [](const Index &at) {
    int64_t row = at.at("s") % 4;
    bool infinite = at.at("t") < 20 || at.at("t") >= 290;
    return row == 0 || (row == 2 && !infinite) || (row == 3 && infinite);
  };
  for (const AttentionCase &attention : {plain, masked}) {
    Kernel forward(GetParam(), attention.forwardKernel()),
        backward(GetParam(), attention.gradientKernel());
    ASSERT_TRUE(forward.ok() && backward.ok());
    for (int64_t queries : {1, 9})
      for (int64_t keys : {20, 300}) {
        Sizes sizes = sizesOf(queries, keys, 3, 5);
        Tensor q = Tensor::of({"s", "d"}, sizes, [](const Index &) { return 1; });
        Tensor k = Tensor::of({"t", "d"}, sizes, [](const Index &at) {
          bool infinite = at.at("t") < 20 || at.at("t") >= 290;
          return infinite ? -INFINITY : 0.01 * double(at.at("t"));
        });
        std::vector<Tensor> inputs{q, k, Tensor::normal({"t", "w"}, sizes, 3)};
        if (!attention.operand.empty())
          inputs.push_back(Tensor::of({"s", "t"}, sizes, dropped));
        Tensor gradient = Tensor::normal(attention.output(), sizes, 4);
        std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
        std::vector<Tensor> got = forward.run(sizes, inputs);
        EXPECT_TRUE(close(got[0], want[0], 1e-5)) << queries << " x " << keys;
        EXPECT_TRUE(close(got[1], want[1], 1e-5)) << queries << " x " << keys;
        if (!attention.operand.empty())
          continue; // what a row of NaN gives the keys that it masks is not specified
        inputs.insert(inputs.end(), {want[0], want[1], gradient});
        got = backward.run(sizes, inputs);
        EXPECT_TRUE(close(got[2], want[4], 1e-4)) << "dv, " << queries << " x " << keys;
      }
  }
}

// A mask that follows from positions alone skips blocks; tasks cut long texts.
TEST_P(AttentionTest, ManyTasks) {
  Kernel kernel(GetParam(), causal(heads).forwardKernel());
  ASSERT_TRUE(kernel.ok());
  EXPECT_GT(kernel.tasks({{"b", 1}, {"s", 1000}, {"t", 1000}}), 12);
  EXPECT_EQ(kernel.tasks({{"b", 2}, {"s", 1}, {"t", 200}}), 6);
  // Few queries with many keys: ranges of keys, up to `split_tasks` tasks, of at least
  // `split_keys`.
  EXPECT_EQ(kernel.tasks({{"b", 2}, {"s", 1}, {"t", 1000}}), 6 * 7);
  EXPECT_EQ(kernel.tasks({{"b", 2}, {"s", 1}, {"t", 100000}}), 6 * 10);
  Kernel backward(GetParam(), causal(heads).gradientKernel());
  ASSERT_TRUE(backward.ok());
  EXPECT_EQ(backward.tasks({{"b", 40}, {"s", 1000}, {"t", 1000}}), 120);
  EXPECT_EQ(backward.tasks({{"b", 1}, {"s", 1000}, {"t", 1000}}), 3 * 5);
  EXPECT_EQ(backward.tasks({{"b", 1}, {"s", 1000}, {"t", 191}}), 3);
  for (Kernel *each : {&kernel, &backward}) {
    EXPECT_EQ(each->sharedBytes({{"b", 40}, {"s", 1000}, {"t", 1000}}), 0);
    EXPECT_EQ(each->launches({{"b", 40}, {"s", 1000}, {"t", 1000}}).back().tasks, 0);
  }
}

/// The last query of each task, as they come, of kernels without operands of their own.
std::vector<int64_t> lastQueries(const AttentionCase &attention, cpu::Isa isa) {
  Kernel kernel(isa, attention.forwardKernel());
  EXPECT_TRUE(kernel.ok());
  const Sizes sizes = attention.sizes({{"b", 2}, {"s", 700}, {"t", 700}});
  auto memoryOf = [&](const AttentionCase::Dims &dims, float value) {
    size_t count = 1;
    for (const std::string &dim : dims)
      count *= static_cast<size_t>(sizes.at(dim));
    return std::vector<float>(count, value);
  };
  std::vector<float> q = memoryOf(attention.q, 1), k = memoryOf(attention.k, 1),
                     v = memoryOf(attention.v, 1), output = memoryOf(attention.output(), NAN),
                     sums = memoryOf(attention.rows(), NAN);
  std::vector<void *> buffers{q.data(), k.data(), v.data(), output.data(), sums.data(), nullptr};
  size_t bytes = static_cast<size_t>(kernel.scratchBytes(sizes)) / 64 * 64 + 64;
  std::unique_ptr<char, void (*)(void *)> scratch(
      static_cast<char *>(std::aligned_alloc(64, bytes)), std::free);
  std::vector<int64_t> numbers = kernel.numbered(sizes);
  Kernel::Launch launch = kernel.launches(sizes).front();
  EXPECT_GT(launch.tasks, 6 * 3);
  int64_t stride = 1; // of a query among sums
  for (size_t i = attention.rows().size(); i-- > 0 && attention.rows()[i] != "s";)
    stride *= sizes.at(attention.rows()[i]);
  std::vector<int64_t> all;
  for (int64_t task = 0; task < launch.tasks; ++task) {
    std::vector<float> earlier = sums;
    launch.run(numbers.data(), buffers.data(), task, task + 1, scratch.get());
    int64_t last = -1;
    for (size_t i = 0; i < sums.size(); ++i)
      if (std::isnan(earlier[i]) && !std::isnan(sums[i]))
        last = std::max(last, static_cast<int64_t>(i) / stride % 700);
    EXPECT_GE(last, 0) << "task " << task;
    all.push_back(last);
  }
  return all;
}

// Where later queries see more keys, the tasks of the last ones are the first; else those of a
// position, which have its keys in common, are neighbours.
TEST_P(AttentionTest, LateQueriesComeFirstWhereTheySeeMore) {
  std::vector<int64_t> all = lastQueries(causal(heads), GetParam());
  EXPECT_TRUE(std::is_sorted(all.rbegin(), all.rend()));
  EXPECT_EQ(all.front(), 699);
  EXPECT_LT(all.back(), 350);
  std::vector<int64_t> inWindows = lastQueries(windowed(heads), GetParam());
  ASSERT_EQ(inWindows.size() % 6, 0u);
  std::vector<int64_t> ofOne(inWindows.begin(), inWindows.begin() + long(inWindows.size() / 6));
  EXPECT_TRUE(std::is_sorted(ofOne.begin(), ofOne.end()));
  EXPECT_EQ(ofOne.back(), 699);
  for (size_t i = 0; i < inWindows.size(); ++i)
    EXPECT_EQ(inWindows[i], ofOne[i % ofOne.size()]) << "task " << i;
}

/// With schedules by which keys are cut as often as can be.
AttentionCase cut(AttentionCase attention) {
  attention.schedule =
      "#cpu.attention<tile = 6x16, value_tile = 6x16, unroll = 4, accumulators = 12, "
      "task_rows = 24, rows = 12, keys = 32, few_rows = 2, tasks = 1, "
      "split_tasks = 1000, split_keys = 16>";
  attention.gradientSchedule =
      "#cpu.attention_grad<tile = 6x16, depth_tile = 6x16, value_tile = 6x16, unroll = 4, "
      "accumulators = 12, rows = 12, keys = 16, split_tasks = 1000, split_keys = 16>";
  return attention;
}

TEST_P(AttentionTest, CutKeys) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 2, 5, 11, 12, 13, 25, 49})
    for (int64_t t : {0, 1, 16, 31, 32, 33, 48, 100})
      all.push_back(sizesOf(s, t, 7, 17));
  check(cut(plain), all);
  check(cut(heads), {{{"b", 2}, {"s", 1}, {"t", 70}}, {{"b", 1}, {"s", 30}, {"t", 95}}});
  check(cut(causal(heads)), {{{"b", 1}, {"s", 1}, {"t", 1}},
                             {{"b", 1}, {"s", 50}, {"t", 50}},
                             {{"b", 2}, {"s", 65}, {"t", 65}}});
  AttentionCase after = causalAfter("known", cut(heads));
  after.dims.emplace_back("known");
  check(after, {{{"b", 1}, {"s", 1}, {"t", 301}, {"known", 300}},
                {{"b", 2}, {"s", 5}, {"t", 42}, {"known", 37}}});
}

// With grouped heads a group is one task: its keys are those of all its queries.
TEST_P(AttentionTest, CutKeysOfGroups) {
  AttentionCase attention = causal(cut({.dims = {"b", "s", "t", "g=2", "r=3", "d=10"},
                                        .q = {"b", "s", "g", "r", "d"},
                                        .k = {"b", "t", "g", "d"},
                                        .v = {"b", "t", "g", "d"}}));
  check(attention, {{{"b", 2}, {"s", 30}, {"t", 30}}, {{"b", 1}, {"s", 70}, {"t", 70}}});
}

// Rows and ranges that see nothing, and scores so far apart that the logsumexp says too little.
TEST_P(AttentionTest, CutKeysThatAreMasked) {
  AttentionCase attention = cut(heads);
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 50}, {"t", 70}}, {{"b", 1}, {"s", 3}, {"t", 90}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || at.at("t") / 32 == at.at("s") % 2 ? 1 : scattered(at);
        });
  AttentionCase large = causal(cut(heads));
  large.scale = "20.0";
  check(large, {{{"b", 1}, {"s", 70}, {"t", 70}}}, nullptr, 2e-4);
}

// As the default cuts them.
TEST_P(AttentionTest, CutKeysByDefault) {
  check(causal(heads), {{{"b", 1}, {"s", 401}, {"t", 401}}});
  check(heads, {{{"b", 1}, {"s", 3}, {"t", 600}}});
}

INSTANTIATE_TEST_SUITE_P(Isa, AttentionTest, everyIsa(), isaName);

} // namespace
