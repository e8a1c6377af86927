// The gradient of attention where a bias has one too, and where queries, keys or values lack
// positions of the batch, of a GPU on the emulator, against the interpreter: blocks that own a part
// of a result go through all positions that add to it.
#include "tests/unit/codegen/gpu/AttentionRuns.h"
#include "tools/kernel/EmulatedTrial.h"
#include "tools/kernel/Estimated.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>
#include <iostream>

using namespace weft;
using namespace weft::test;

namespace {

using Dims = AttentionCase::Dims;

// The default for small depths and for large ones; then tiles that are no square, and more threads
// of a row than a warp has.
const char *const schedules[] = {
    "#cuda.attention_grad<rows = 32, columns = 32, thread_rows = 2, thread_columns = 2, unroll = "
    "4>",
    "#cuda.attention_grad<rows = 16, columns = 16, thread_rows = 2, thread_columns = 1, unroll = "
    "4>",
    "#cuda.attention_grad<rows = 24, columns = 8, thread_rows = 2, thread_columns = 1, unroll = 2>",
    "#cuda.attention_grad<rows = 8, columns = 64, thread_rows = 4, thread_columns = 1, unroll = "
    "1>"};

std::string text(const Dims &dims) {
  std::string all = "over";
  for (const std::string &dim : dims)
    all += " " + dim;
  return all;
}

void check(AttentionCase attention, const char *schedule, const std::vector<Sizes> &all,
           uint64_t orders, double factor = 1, double error = 1e-5) {
  attention.gradientSchedule = schedule;
  AttentionRuns runs(attention, /*gradient=*/true, "sm_80");
  EmulatedKernel kernel = runs.compiled();
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  auto mask = [](const Index &at) {
    uint64_t hash = 1;
    for (const auto &[dim, position] : at)
      hash = (hash ^ uint64_t(position)) * 0x9e3779b97f4a7c15;
    return hash >> 62 != 0;
  };
  for (const Sizes &sizes : all) {
    SCOPED_TRACE(runs.drawnFrom() + ", " + textOf(sizes));
    runs.draw(sizes, mask, factor);
    for (uint64_t order = 0; order < orders; ++order)
      EXPECT_EQ(runs.problemOf(kernel, order ? runs.seed() + order : 0, error), "")
          << "order " << order;
    EXPECT_EQ(runs.results(kernel, 0), runs.results(kernel, runs.seed()))
        << "other bits in another order";
  }
}

struct GpuBiasGradient : testing::TestWithParam<const char *> {
  void check(const AttentionCase &attention, const std::vector<Sizes> &all, double factor = 1,
             double error = 1e-5) {
    ::check(attention, GetParam(), all, /*orders=*/2, factor, error);
  }
};

const AttentionCase heads = headsOf("d=16", "w=8");
const AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=12"},
                            .q = {"b", "s", "h", "g", "d"},
                            .k = {"b", "t", "h", "d"},
                            .v = {"b", "t", "h", "d"}};

// Around every tile, nothing at all, and one of each.
TEST_P(GpuBiasGradient, OfHeads) {
  std::vector<Sizes> tails;
  for (int64_t s : {1, 15, 17, 31, 33, 65})
    tails.push_back({{"b", 3}, {"s", s}, {"t", 33}});
  for (int64_t t : {1, 7, 16, 32, 63, 65})
    tails.push_back({{"b", 2}, {"s", 17}, {"t", t}});
  check(biased(heads, {"h", "s", "t"}), tails);
}

TEST_P(GpuBiasGradient, OfNothing) {
  for (const Dims &dims : std::vector<Dims>{{"h", "s", "t"}, {"s"}, {"t"}, {}}) {
    SCOPED_TRACE(text(dims));
    check(biased(heads, dims), {{{"b", 0}, {"s", 3}, {"t", 5}},
                                {{"b", 2}, {"s", 0}, {"t", 5}},
                                {{"b", 2}, {"s", 3}, {"t", 0}}});
  }
}

TEST_P(GpuBiasGradient, ThatLacksDimensions) {
  std::vector<Sizes> few{{{"b", 2}, {"s", 35}, {"t", 37}}, {{"b", 3}, {"s", 1}, {"t", 19}}};
  for (const Dims &dims : std::vector<Dims>{{"b", "h", "s", "t"},
                                            {"t", "s", "h", "b"},
                                            {"s", "t"},
                                            {"b", "t"},
                                            {"t"},
                                            {"h", "s"},
                                            {"s"},
                                            {"b", "h"},
                                            {}}) {
    SCOPED_TRACE(text(dims));
    check(causal(biased(heads, dims)), few);
  }
}

// Rows are queries of several heads, of which a bias may have any.
TEST_P(GpuBiasGradient, OfGroupedHeads) {
  for (const Dims &dims : std::vector<Dims>{
           {"h", "g", "s", "t"}, {"g", "s", "t"}, {"g", "t"}, {"h", "t"}, {"s", "t"}, {"g"}}) {
    SCOPED_TRACE(text(dims));
    check(capped(biased(grouped, dims)), {{{"b", 2}, {"s", 11}, {"t", 19}}});
  }
}

TEST_P(GpuBiasGradient, BeforeAndBehindACap) {
  for (bool inside : {false, true}) {
    AttentionCase attention = capped(biased(heads, {"h", "s", "t"}), inside);
    check(attention, {{{"b", 2}, {"s", 35}, {"t", 33}}});
    check(causal(dropped(attention, {"b", "h", "s", "t"})), {{{"b", 2}, {"s", 40}, {"t", 40}}});
  }
}

TEST_P(GpuBiasGradient, UnderMasks) {
  check(windowed(biased(heads, {"h", "s", "t"})), {{{"b", 2}, {"s", 70}, {"t", 70}}});
  AttentionCase attention = biased(heads, {"h", "s", "t"});
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 3}, {"s", 35}, {"t", 37}}, {{"b", 2}, {"s", 7}, {"t", 3}}});
}

TEST_P(GpuBiasGradient, InLayoutsOfItsOwn) {
  AttentionCase attention = causal(biased(heads, {"h", "s", "t"}));
  attention.layouts = {{"b", R"(#kernel.layout<h: "1", s: "3", t: "300">)"},
                       {"dbias", R"(#kernel.layout<h: "s * 90", s: "2", t: "2 * s">)"}};
  check(attention, {{{"b", 2}, {"s", 33}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

// A logsumexp of hundreds says too little: its terms are found again from scores as they are, at
// each position.
TEST_P(GpuBiasGradient, OfLargeScores) {
  check(causal(biased(heads, {"h", "s", "t"})), {{{"b", 2}, {"s", 40}, {"t", 40}}}, /*factor=*/100,
        /*error=*/1e-3);
}

// What sides lack is summed over in their gradients: keys and values over the same, over others.
TEST_P(GpuBiasGradient, OfUnevenSides) {
  AttentionCase uneven{.dims = {"s", "t", "d=6", "w=4", "x", "y", "z=2"},
                       .q = {"x", "s", "d"},
                       .k = {"y", "t", "d"},
                       .v = {"x", "t", "z", "w"}};
  std::vector<Sizes> few{{{"s", 5}, {"t", 35}, {"x", 2}, {"y", 3}},
                         {{"s", 33}, {"t", 9}, {"x", 3}, {"y", 1}},
                         {{"s", 3}, {"t", 9}, {"x", 0}, {"y", 2}},
                         {{"s", 3}, {"t", 9}, {"x", 2}, {"y", 0}}};
  check(uneven, few);
  check(causal(uneven), {{{"s", 17}, {"t", 17}, {"x", 2}, {"y", 2}}});
  check(biased(uneven, {"y", "s", "t"}), few);
  uneven.v = {"y", "t", "z", "w"};
  check(uneven, few);
}

struct Draw {
  uint64_t state;
  uint64_t below(uint64_t count) {
    state = state * 0x5851f42d4c957f2d + 0x14057b7ef767814f;
    return (state >> 33) % count;
  }
  bool coin() { return below(2) != 0; }
};

// Anything together. Of the dimensions of a program h and g have 2 and 3; a side may lack any.
AttentionCase drawnCase(Draw &draw) {
  AttentionCase attention{.dims = {"b", "s", "t", "h=2", "g=3", "d=10", "w=7"},
                          .q = {"s", "d"},
                          .k = {"t", "d"},
                          .v = {"t", "w"}};
  for (const char *dim : {"b", "h", "g"}) {
    bool seldom = draw.below(4) == 0; // a side lacks it
    bool inQ = !seldom || draw.coin(), inK = !seldom || draw.coin(),
         inV = (!seldom || draw.coin()) && (inQ || inK);
    for (auto [in, side] :
         {std::pair(inQ, &attention.q), std::pair(inK, &attention.k), std::pair(inV, &attention.v)})
      if (in)
        side->insert(side->begin() + int64_t(draw.below(side->size() + 1)), dim);
  }
  Dims scores = attention.rows(), bias;
  scores.push_back("t");
  for (const std::string &dim : scores)
    if (draw.below(4) != 0)
      bias.insert(bias.begin() + int64_t(draw.below(bias.size() + 1)), dim);
  attention = biased(attention, bias);
  if (draw.coin())
    attention = capped(attention, draw.coin());
  if (uint64_t which = draw.below(3))
    attention = which == 1 ? causal(attention) : windowed(attention);
  if (draw.coin())
    attention = dropped(attention, scores);
  return attention;
}

Sizes drawnSizes(Draw &draw) {
  static constexpr int64_t some[] = {1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 63, 65};
  for (;;) {
    Sizes sizes{{"b", int64_t(1 + draw.below(3))},
                {"s", some[draw.below(std::size(some))]},
                {"t", some[draw.below(std::size(some))]}};
    if (sizes["b"] * sizes["s"] * sizes["t"] <= 1500)
      return sizes;
  }
}

TEST(GpuBiasGradientDrawn, OfAnything) {
  uint64_t seed = std::random_device()();
  std::cout << "cases from " << seed << "\n";
  Draw draw{seed};
  for (int i = 0; i < 8; ++i) {
    AttentionCase attention = drawnCase(draw);
    Sizes sizes = drawnSizes(draw);
    SCOPED_TRACE("case " + std::to_string(i) + " from " + std::to_string(seed) + ":\n" +
                 attention.gradientKernel());
    check(attention, schedules[draw.below(std::size(schedules))], {sizes}, /*orders=*/5);
  }
}

// The default: by tiles as well, in f32 and where sides are stored as bf16.
TEST(GpuBiasGradientSchedule, IsByTiles) {
  for (const AttentionCase &attention :
       {biased(heads, {"h", "s", "t"}), narrowOutput(narrow(biased(heads, {"s", "t"})))}) {
    AttentionRuns runs(attention, /*gradient=*/true, "sm_80");
    runs.draw({{"b", 2}, {"s", 33}, {"t", 65}});
    EmulatedKernel kernel = runs.compiled();
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    EXPECT_EQ(runs.problemOf(kernel, runs.seed()), "") << runs.drawnFrom();
  }
}

// What is predicted of it without a run is near what a run counts.
TEST(GpuBiasGradientSchedule, IsEstimated) {
  const Sizes sizes{{"b", 3}, {"s", 70}, {"t", 50}, {"h", 2}, {"d", 16}, {"w", 8}};
  for (const Dims &dims :
       std::vector<Dims>{{"b", "h", "s", "t"}, {"h", "s", "t"}, {"h", "s"}, {"h", "t"}, {"h"}}) {
    SCOPED_TRACE(text(dims));
    mlir::MLIRContext context;
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                        mlir::func::FuncDialect>();
    AttentionCase attention = biased(heads, dims);
    attention.gradientSchedule = schedules[0];
    auto module = mlir::parseSourceString<mlir::ModuleOp>(attention.gradientKernel(), &context);
    ASSERT_TRUE(module);
    auto table = kernel::DimTable::of(*module);
    kernel::SizesAt at = [&](const Size &size) {
      return *size.evaluate([&](const std::string &name) { return std::optional(sizes.at(name)); });
    };
    module->walk([&](kernel::FusedOp op) {
      EmulatedTrial trial(op, cuda::devices().front());
      ASSERT_FALSE(trial.problem()) << *trial.problem();
      auto schedule = op.getScheduleAttr().getAs<cuda::DeviceSchedule>("sm_80");
      auto estimate = schedule.estimate({op, table, at});
      ASSERT_TRUE(succeeded(estimate));
      EXPECT_EQ(estimate->blocks, trial.blocks(sizes));
      EXPECT_EQ(estimate->threads, trial.threadsOfBlock(sizes));
      EXPECT_EQ(size_t(estimate->sharedBytes), trial.sharedBytes(sizes));
      auto run = trial.predict(sizes, emulator::a100(), 1);
      ASSERT_TRUE(run) << *trial.problem();
      double instructions = estimate->instructions / double(run->counts.instructions);
      EXPECT_TRUE(instructions > 0.5 && instructions < 2) << instructions;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Default, GpuBiasGradient, testing::Values(schedules[0], schedules[1]),
                         [](const auto &info) { return info.index ? "large" : "small"; });

} // namespace
