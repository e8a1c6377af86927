// Attention whose keys are cut into parts, on the emulator against the interpreter: few queries and
// more of them, keys around every part, masks, layouts, large scores, stored as float32 and as
// bf16.
#include "ir/cuda/Cuda.h"
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include "mlir/AsmParser/AsmParser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

struct Built {
  const char *device;
  bool isNarrow;
};

std::string scheduled(int rows, int keys, int threads, int unroll, int blocks) {
  return fmt::format("#cuda.split_attention<rows = {}, keys = {}, threads = {}, unroll = {}, "
                     "blocks = {}>",
                     rows, keys, threads, unroll, blocks);
}

struct GpuSplitAttention : testing::TestWithParam<Built> {
  /// Compiles once and runs for each of `all`, in three orders.
  void check(AttentionCase attention, const std::vector<Sizes> &all,
             const std::function<double(const Index &)> &mask = nullptr, double factor = 1,
             double error = 1e-5, int64_t alignment = 0) {
    if (attention.schedule.empty())
      attention.schedule = scheduled(2, 8, 64, 2, 24);
    AttentionRuns runs(GetParam().isNarrow ? narrow(attention) : attention, false,
                       GetParam().device);
    EmulatedKernel kernel = runs.compiled(nullptr, alignment);
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    for (const Sizes &sizes : all) {
      std::string text = runs.drawnFrom() + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      runs.draw(sizes, mask, factor);
      for (uint64_t order : {uint64_t(0), uint64_t(1), runs.seed()})
        EXPECT_EQ(runs.problemOf(kernel, order, error), "") << "order " << order;
    }
  }
};

const AttentionCase heads = headsOf("d=16", "w=8");

TEST_P(GpuSplitAttention, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t t : {0, 1, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 130})
    all.push_back({{"b", 1}, {"s", 1}, {"t", t}});
  for (int64_t s : {0, 1, 2, 3, 5})
    all.push_back({{"b", 3}, {"s", s}, {"t", 37}});
  all.push_back({{"b", 0}, {"s", 1}, {"t", 3}});
  check(heads, all);
}

TEST_P(GpuSplitAttention, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=1", "w=1"),
                               {"d=5", "w=33"},
                               {"d=64", "w=64"},
                               {"d=128", "w=128"},
                               {"d=256", "w=40"},
                               {"d=65", "w=127"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values),
          {{{"b", 1}, {"s", 1}, {"t", 35}}, {{"b", 1}, {"s", 3}, {"t", 17}}});
  }
}

// As decoding has it: some are known, and some are new.
TEST_P(GpuSplitAttention, Causal) {
  AttentionCase after = causalAfter("known", heads);
  after.dims.emplace_back("known");
  check(after, {{{"b", 2}, {"s", 1}, {"t", 71}, {"known", 70}},
                {{"b", 2}, {"s", 1}, {"t", 1}, {"known", 0}},
                {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
  check(causal(heads), {{{"b", 1}, {"s", 33}, {"t", 33}}});
}

// Whole parts are hidden, of some queries and of all.
TEST_P(GpuSplitAttention, Window) {
  check(windowed(heads), {{{"b", 1}, {"s", 70}, {"t", 70}}, {{"b", 1}, {"s", 3}, {"t", 41}}});
}

TEST_P(GpuSplitAttention, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  check(grouped, {{{"b", 2}, {"s", 1}, {"t", 40}}});
  check(causal(grouped), {{{"b", 1}, {"s", 7}, {"t", 7}}});
}

// Keys that lie as [d][t], parts of caches that could hold 40, and results among others.
TEST_P(GpuSplitAttention, StridedLayouts) {
  AttentionCase attention = causal(headsOf("d=16", "w=16"));
  attention.layouts = {{"q", R"(#kernel.layout<b: "s * 96", s: "96", h: "1", d: "5">)"},
                       {"k", R"(#kernel.layout<b: "40 * 32", t: "1", h: "40 * 16", d: "40">)"},
                       {"v", R"(#kernel.layout<b: "40 * 32", t: "32", h: "16", w: "1">)"},
                       {"output", R"(#kernel.layout<b: "100 * s", s: "100", h: "17", w: "1">)"}};
  if (!GetParam().isNarrow) // `narrow` writes layouts of its own
    check(attention, {{{"b", 2}, {"s", 3}, {"t", 33}}, {{"b", 2}, {"s", 1}, {"t", 33}}});
}

// What is read at once is what is certain to begin there.
TEST_P(GpuSplitAttention, Alignments) {
  for (int64_t alignment : {2, 4, 8, 16})
    if (alignment >= (GetParam().isNarrow ? 2 : 4))
      check(headsOf("d=16", "w=24"), {{{"b", 1}, {"s", 1}, {"t", 35}}}, nullptr, 1, 1e-5,
            alignment);
}

// Every third row keeps nothing: its output is 0, its logsumexp -inf.
TEST_P(GpuSplitAttention, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 4}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        });
}

TEST_P(GpuSplitAttention, LargeScores) {
  check(heads, {{{"b", 1}, {"s", 3}, {"t", 90}}}, nullptr, 100, /*error=*/1e-3);
}

TEST_P(GpuSplitAttention, EverySchedule) {
  for (const std::string &schedule :
       {scheduled(1, 1, 32, 1, 1), scheduled(1, 1, 32, 1, 1000), scheduled(4, 16, 128, 4, 10),
        scheduled(8, 5, 256, 3, 7), scheduled(3, 40, 64, 8, 264)}) {
    SCOPED_TRACE(schedule);
    AttentionCase attention = causal(headsOf("d=32", "w=16"));
    attention.schedule = schedule;
    check(attention, {{{"b", 1}, {"s", 9}, {"t", 9}}, {{"b", 1}, {"s", 2}, {"t", 131}}});
  }
}

// Two kernels, of which a run has one: by the number of queries; and one part needs no second
// launch.
TEST_P(GpuSplitAttention, FewQueriesOrMany) {
  AttentionCase attention = headsOf("d=16", "w=16");
  attention.schedule = fmt::format(
      "#cuda.by_queries<queries = 2, few = {}, many = #cuda.attention<rows = 16, keys = "
      "16, thread_rows = 2, thread_keys = 2, unroll = 4>>",
      scheduled(1, 8, 32, 2, 9));
  AttentionRuns runs(GetParam().isNarrow ? narrow(attention) : attention, false, GetParam().device);
  EmulatedKernel kernel = runs.compiled();
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  ASSERT_EQ(kernel.launches(), 3u);
  auto expectBlocks = [&](const Sizes &sizes, std::vector<int64_t> expected) {
    SCOPED_TRACE(runs.drawnFrom());
    runs.draw(sizes);
    EXPECT_EQ(runs.problemOf(kernel, runs.seed()), "");
    Sizes all = sizes;
    all.insert({{"h", 2}, {"d", 16}, {"w", 16}});
    for (size_t launch = 0; launch < 3; ++launch)
      EXPECT_EQ(kernel.blocks(all, launch), expected[launch]) << launch;
    if (expected[1] == 0) // what is left for the next launch
      EXPECT_EQ(kernel.scratchBytes(all), 0);
  };
  expectBlocks({{"b", 1}, {"s", 1}, {"t", 40}}, {10, 2, 0}); // five parts of eight, of two heads
  expectBlocks({{"b", 1}, {"s", 2}, {"t", 40}}, {12, 4, 0}); // three parts each
  expectBlocks({{"b", 1}, {"s", 1}, {"t", 8}}, {2, 0, 0});
  expectBlocks({{"b", 5}, {"s", 1}, {"t", 40}}, {10, 0, 0});
  expectBlocks({{"b", 1}, {"s", 3}, {"t", 40}}, {0, 0, 2});
  expectBlocks({{"b", 1}, {"s", 17}, {"t", 5}}, {0, 0, 4});
}

// The order of what is added is that of the keys, whatever comes first.
TEST_P(GpuSplitAttention, TheSameBitsEachTime) {
  AttentionCase attention = headsOf("d=16", "w=16");
  attention.schedule = scheduled(1, 4, 64, 2, 40);
  AttentionRuns runs(GetParam().isNarrow ? narrow(attention) : attention, false, GetParam().device);
  EmulatedKernel kernel = runs.compiled();
  ASSERT_FALSE(kernel.problem()) << *kernel.problem();
  runs.draw({{"b", 1}, {"s", 1}, {"t", 77}});
  auto first = runs.results(kernel, 0);
  for (uint64_t order = 1; order < 6; ++order)
    EXPECT_TRUE(runs.results(kernel, order) == first) << order;
}

TEST_P(GpuSplitAttention, NumbersThatAreNone) {
  for (auto [numbers, what] :
       {std::pair("rows = 0, keys = 1, threads = 32, unroll = 1, blocks = 1", "`rows` is 0"),
        {"rows = 1, keys = 0, threads = 32, unroll = 1, blocks = 1", "`keys` is 0"},
        {"rows = 1, keys = 1, threads = 96, unroll = 1, blocks = 1",
         "`threads` is 96: a power of two"},
        {"rows = 9, keys = 1, threads = 32, unroll = 1, blocks = 1", "`rows` is 9: 1 to 8"},
        {"rows = 1, keys = 1, threads = 32, unroll = 9, blocks = 1", "`unroll` is 9: 1 to 8"}}) {
    mlir::MLIRContext context;
    context.loadDialect<cuda::CudaDialect>();
    std::string said;
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) { said += diagnostic.str(); });
    EXPECT_FALSE(mlir::parseAttribute(fmt::format("#cuda.split_attention<{}>", numbers), &context));
    EXPECT_NE(said.find(what), std::string::npos) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Device, GpuSplitAttention,
                         testing::Values(Built{"sm_80", false}, Built{"sm_80", true},
                                         Built{"sm_90a", true}),
                         [](const auto &info) {
                           return std::string(info.param.device) +
                                  (info.param.isNarrow ? "_bf16" : "");
                         });

} // namespace
