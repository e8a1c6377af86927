// Attention with a bias, a cap and dropout, and its gradient, against the interpreter in f64: alone
// and together, with masks, grouped heads, cut keys, sizes around every tile.
#include "AttentionCase.h"
#include "EveryIsa.h"

#include <random>

using namespace weft;
using namespace weft::test;

namespace {

struct ScoresTest : EveryIsa {
  uint64_t drawn = std::random_device()();

  void check(const AttentionCase &attention, const std::vector<Sizes> &all, double error = 1e-5) {
    Kernel forward(GetParam(), attention.forwardKernel());
    Kernel backward(GetParam(), attention.gradientKernel());
    ASSERT_TRUE(forward.ok() && backward.ok());
    for (Sizes sizes : all) {
      for (const std::string &dim : attention.dims)
        if (size_t equals = dim.find('='); equals != std::string::npos)
          sizes[dim.substr(0, equals)] = std::stoll(dim.substr(equals + 1));
      std::string text = "numbers from " + std::to_string(drawn) + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      std::vector<Tensor> inputs{Tensor::normal(attention.q, sizes, drawn),
                                 Tensor::normal(attention.k, sizes, drawn + 1),
                                 Tensor::normal(attention.v, sizes, drawn + 2)};
      if (!attention.operand.empty())
        inputs.push_back(Tensor::of(attention.operand, sizes, [](const Index &at) {
          uint64_t hash = 1;
          for (const auto &[dim, position] : at)
            hash = (hash ^ uint64_t(position)) * 0x9e3779b97f4a7c15;
          return hash >> 62 != 0;
        }));
      if (attention.biasOperand)
        inputs.push_back(Tensor::normal(*attention.biasOperand, sizes, drawn + 3));
      Tensor gradient = Tensor::normal(attention.output(), sizes, drawn + 4);
      std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
      ASSERT_GE(want.size(), 5u);
      std::vector<Tensor> got = forward.run(sizes, inputs);
      EXPECT_TRUE(close(got[0], want[0], error)) << "output";
      EXPECT_TRUE(close(got[1], want[1], error)) << "logsumexp";
      inputs.insert(inputs.end(), {want[0], want[1], gradient});
      got = backward.run(sizes, inputs);
      ASSERT_EQ(got.size(), want.size() - 2);
      // Relative to all of them: where what is added to a score is added to all of its row, the
      // gradient is 0 but for rounding.
      want.erase(want.begin(), want.begin() + 2);
      EXPECT_TRUE(close(joined(got), joined(want), 10 * error)) << "gradients";
    }
  }
};

const AttentionCase heads{.dims = {"b", "s", "t", "h=3", "d=20"},
                          .q = {"b", "s", "h", "d"},
                          .k = {"b", "t", "h", "d"},
                          .v = {"b", "t", "h", "d"}};

std::vector<Sizes> everyTail() {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 7, 23, 24, 25, 48, 49})
    all.push_back({{"b", 2}, {"s", s}, {"t", 17}});
  for (int64_t t : {0, 1, 15, 16, 17, 95, 96, 97, 257})
    all.push_back({{"b", 1}, {"s", 5}, {"t", t}});
  all.push_back({{"b", 1}, {"s", 193}, {"t", 193}});
  return all;
}

std::string text(const AttentionCase::Dims &dims) {
  std::string all;
  for (const std::string &dim : dims)
    all += dim + " ";
  return "over " + all;
}

TEST_P(ScoresTest, Bias) {
  check(biased(heads, {"h", "s", "t"}), everyTail());
}

// What a gradient of a bias is summed over: the batch, heads, queries, keys, everything.
TEST_P(ScoresTest, BiasThatLacksDimensions) {
  std::vector<Sizes> few{{{"b", 2}, {"s", 50}, {"t", 100}}, {{"b", 3}, {"s", 1}, {"t", 19}}};
  for (const AttentionCase::Dims &dims : std::vector<AttentionCase::Dims>{{"b", "h", "s", "t"},
                                                                          {"t", "s", "h", "b"},
                                                                          {"s", "t"},
                                                                          {"b", "t"},
                                                                          {"t"},
                                                                          {"h", "s"},
                                                                          {"b", "h"},
                                                                          {}}) {
    SCOPED_TRACE(text(dims));
    check(causal(biased(heads, dims)), few);
  }
  check(biased(heads, {"t"}), few);
}

// Scores reach a thousand, where a number of f32 is 6e-5 from the next, and so is the logarithm of
// a weight.
TEST_P(ScoresTest, BiasOfPositions) {
  check(sloped(heads), everyTail(), 1e-4);
  check(causal(sloped(heads)), {{{"b", 2}, {"s", 200}, {"t", 200}}}, 1e-4);
}

TEST_P(ScoresTest, Cap) {
  check(capped(heads), everyTail());
  check(windowed(capped(heads)), {{{"b", 1}, {"s", 130}, {"t", 130}}});
}

TEST_P(ScoresTest, Dropout) {
  check(dropped(heads, {"b", "h", "s", "t"}), everyTail());
  check(causal(dropped(heads, {"b", "h", "s", "t"})), {{{"b", 2}, {"s", 130}, {"t", 130}}});
  for (const AttentionCase::Dims &dims :
       std::vector<AttentionCase::Dims>{{"s", "t"}, {"h", "s"}, {"t"}, {"b"}}) {
    SCOPED_TRACE(text(dims));
    check(dropped(heads, dims), {{{"b", 2}, {"s", 50}, {"t", 100}}});
  }
}

// Which are kept is data.
TEST_P(ScoresTest, DropoutByData) {
  AttentionCase attention = heads;
  attention.keepDims = attention.operand = {"b", "s", "t"};
  attention.keep = "%keep = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 50}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}});
}

TEST_P(ScoresTest, Everything) {
  std::vector<Sizes> few{{{"b", 2}, {"s", 50}, {"t", 50}}, {{"b", 1}, {"s", 1}, {"t", 1}}};
  for (bool capsBias : {false, true}) {
    AttentionCase all =
        dropped(capped(biased(heads, {"h", "s", "t"}), capsBias), {"b", "h", "s", "t"});
    check(all, everyTail());
    check(causal(all), few);
    check(causal(dropped(capped(sloped(heads), capsBias), {"b", "s", "t"})), few);
  }
}

// With grouped heads rows are queries of several heads, of which a bias may have any.
TEST_P(ScoresTest, GroupedHeads) {
  AttentionCase grouped{.dims = {"b", "s", "t", "g=2", "r=3", "d=10"},
                        .q = {"b", "s", "g", "r", "d"},
                        .k = {"b", "t", "g", "d"},
                        .v = {"b", "t", "g", "d"}};
  std::vector<Sizes> few{{{"b", 2}, {"s", 30}, {"t", 30}}, {{"b", 1}, {"s", 70}, {"t", 70}}};
  for (const AttentionCase::Dims &dims : std::vector<AttentionCase::Dims>{
           {"g", "r", "s", "t"}, {"r", "s", "t"}, {"r", "t"}, {"g", "t"}, {"s", "t"}}) {
    SCOPED_TRACE(text(dims));
    check(biased(grouped, dims), few);
    check(causal(dropped(capped(biased(grouped, dims)), {"b", "g", "r", "s", "t"})), few);
  }
}

// Keys that lie across, and a bias and its gradient in layouts of their own.
TEST_P(ScoresTest, StridedLayouts) {
  AttentionCase attention = causal(biased(heads, {"h", "s", "t"}));
  attention.layouts = {{"b", R"(#kernel.layout<h: "1", s: "3", t: "300">)"},
                       {"dbias", R"(#kernel.layout<h: "s * 90", s: "2", t: "2 * s">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
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

// The memory of both launches comes behind the key of random numbers.
TEST_P(ScoresTest, CutKeys) {
  AttentionCase all = cut(dropped(capped(sloped(heads)), {"b", "h", "s", "t"}));
  check(all, {{{"b", 2}, {"s", 1}, {"t", 70}}, {{"b", 1}, {"s", 30}, {"t", 95}}});
  check(causal(all), {{{"b", 1}, {"s", 1}, {"t", 1}}, {{"b", 2}, {"s", 65}, {"t", 65}}});
}

// A gradient of a bias is added up in one task.
TEST_P(ScoresTest, NoCutOfAGradientThatIsAddedUp) {
  Kernel kernel(GetParam(), biased(heads, {"h", "s", "t"}).gradientKernel());
  ASSERT_TRUE(kernel.ok());
  EXPECT_EQ(kernel.tasks({{"b", 7}, {"s", 2000}, {"t", 2000}}), 3); // heads
  EXPECT_EQ(kernel.sharedBytes({{"b", 7}, {"s", 2000}, {"t", 2000}}), 0);
}

// A logsumexp of hundreds says too little: its terms are found again from scores as they are.
TEST_P(ScoresTest, LargeScores) {
  for (AttentionCase attention :
       {biased(heads, {"h", "s", "t"}), dropped(capped(sloped(heads)), {"b", "h", "s", "t"})}) {
    attention.scale = "20.0";
    if (!attention.cap.empty())
      attention.cap = "300.0";
    check(causal(attention), {{{"b", 1}, {"s", 70}, {"t", 70}}}, 2e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, ScoresTest, everyIsa(), isaName);

} // namespace
