// A real kernel on this machine: its schedules are compiled, compared and timed in turn; what is
// wrong or left out is seen.
#include "tools/tune/KernelBench.h"

#include "tests/unit/tune/Module.h"
#include "tools/tune/CostModel.h"

#include <cmath>

using namespace weft;

namespace {

const char *text = R"(
model.dim @m
model.dim @k = #model.size<70>
func.func @f(%x: !model.tensor<f32, m, k>) {
  %0 = kernel.fused rows "row" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "70", k: "1">, #kernel.layout<m: "70", k: "1">]} {
    %e = model.exp %a : !model.tensor<f32, m, k>
    kernel.yield %e : !model.tensor<f32, m, k>
  }
  return
})";

const trial::Sizes small{{"m", 3}, {"k", 70}};

class KernelBenchTest : public test::ModuleTest {
protected:
  void SetUp() override {
    std::vector<tune::Subject> all =
        tune::subjectsOf(read(text), [](mlir::func::FuncOp) { return true; }, points);
    ASSERT_EQ(all.size(), 1u);
    subject = all[0];
  }

  std::vector<kernel::ScheduleAttr> legal() {
    auto all = cpu::legalSchedules({subject.op, kernel::DimTable::of(*module)},
                                   cpu::machineOf(cpu::Isa::x86_64_v3));
    EXPECT_TRUE(succeeded(all));
    return {all->begin(), all->end()};
  }

  tune::KernelBench bench(std::vector<kernel::ScheduleAttr> schedules) {
    return tune::KernelBench(subject, cpu::Isa::x86_64_v3, std::move(schedules), *pool);
  }

  tune::Points points{{{"m", 301}, {"k", 70}}, {{"m", 2}, {"k", 70}}};
  tune::Subject subject;
  std::unique_ptr<WeftPool> pool = WeftPool::start(2, /*pin=*/false);
};

TEST_F(KernelBenchTest, RunsWhatIsLegalInTurnWithTheDefault) {
  std::vector<kernel::ScheduleAttr> schedules = legal();
  ASSERT_GT(schedules.size(), 2u);
  tune::KernelBench made = bench(schedules);
  made.expect(small);
  ASSERT_FALSE(made.problem()) << *made.problem();
  EXPECT_GT(made.usualSeconds(3), 0);
  for (size_t i = 1; i < schedules.size(); ++i) {
    tune::Bench::Ready ready = made.prepare(i);
    EXPECT_FALSE(ready.refused || ready.wrong) << ready.why;
    for (int round = 0; round < 2; ++round) {
      tune::Bench::Pair pair = made.pair();
      EXPECT_TRUE(pair.usual > 0 && pair.candidate > 0);
    }
  }
  double before = made.now();
  EXPECT_LE(before, made.now());
  EXPECT_FALSE(made.interrupted());
}

TEST_F(KernelBenchTest, RefusesWhatIsNoScheduleOfTheKernel) {
  tune::KernelBench made = bench({legal().front(), cpu::PackAttr::get(&context, 1, 2, false)});
  made.expect(small);
  ASSERT_FALSE(made.problem()) << *made.problem();
  tune::Bench::Ready ready = made.prepare(1);
  EXPECT_TRUE(ready.refused);
  EXPECT_FALSE(ready.wrong);
  EXPECT_NE(ready.why.find("is no schedule of rows"), std::string::npos) << ready.why;
  tune::KernelBench none = bench({cpu::PackAttr::get(&context, 1, 2, false)});
  EXPECT_TRUE(none.problem());
  EXPECT_FALSE(none.isWrong());
}

TEST_F(KernelBenchTest, MemoryShowsWhatARunLeavesOut) {
  trial::PlainMemory memory(subject.op, points[1], 0);
  trial::KernelTrial trial(subject.op, cpu::Isa::x86_64_v3);
  ASSERT_FALSE(trial.problem());
  memory.spoilResults(0);
  for (const std::vector<float> &each : memory.floats(0))
    for (float value : each)
      EXPECT_TRUE(std::isnan(value));
  trial::KernelTrial::Runs(trial, points[1], *pool).run(memory.set(0));
  std::vector<std::vector<float>> results = memory.floats(0);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].size(), 140u);
  for (float value : results[0])
    EXPECT_GT(value, 1); // operands are from 0.1 on
}

// Only the order that is predicted counts: enough tasks for two cores, and not a task an element.
TEST_F(KernelBenchTest, PredictsThatTasksAreSharedAndCost) {
  auto dims = kernel::DimTable::of(*module);
  trial::Sizes large{{"m", 20000}, {"k", 70}};
  auto seconds = [&](int64_t elements, int threads) {
    return tune::predicted({subject.op, dims}, cpu::RowsAttr::get(&context, 2, elements),
                           cpu::machineOf(cpu::Isa::x86_64_v3), threads, large);
  };
  EXPECT_LT(seconds(4096, 2), seconds(20000 * 70, 2));
  EXPECT_LT(seconds(4096, 2), seconds(8, 2));
  EXPECT_NEAR(seconds(20000 * 70, 2), seconds(20000 * 70, 1), 1e-9);
  EXPECT_LT(seconds(4096, 2), seconds(4096, 1));
}

} // namespace
