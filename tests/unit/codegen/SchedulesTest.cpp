// Every schedule that a cost model might choose gives what the interpreter gives, for a kernel of
// each family; what a machine cannot run is refused.
#include "KernelHarness.h"

#include "ir/cpu/Schedules.h"
#include "passes/Pipeline.h"
#include "tools/kernel/Inputs.h"
#include "tools/kernel/Trial.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace weft;
using namespace weft::test;

namespace {

/// What a step of training of a small GPT does: every family but scans.
class Schedules : public testing::Test {
protected:
  void SetUp() override {
    static const bool registered = (registerPipeline(), true);
    (void)registered;
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                        mlir::func::FuncDialect>();
    module = mlir::parseSourceFile<mlir::ModuleOp>(WEFT_INPUTS "/gpt.mlir", &context);
    mlir::PassManager manager(&context);
    for (const char *stage : {"model", "fused", "kernel"})
      ASSERT_TRUE(succeeded(addStage(manager, stage)));
    ASSERT_TRUE(module && succeeded(manager.run(*module)));
    table = kernel::DimTable::of(*module);
    sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  }

  /// The first kernel of a family; of contractions, one that packs its left side if that is wanted.
  kernel::FusedOp first(kernel::Family family, bool packs = false) {
    kernel::FusedOp found;
    module->walk([&](kernel::FusedOp op) {
      if (found || op.getFamily() != family)
        return;
      auto usual = cpu::defaultSchedule({op, table}, cpu::machineOf(cpu::Isa::avx512));
      auto contraction = succeeded(usual) ? dyn_cast<cpu::ContractionAttr>(*usual) : nullptr;
      if (!contraction || (contraction.getColumns() > 192) == packs)
        found = op;
    });
    return found;
  }

  /// Tries each `stride`-th legal schedule.
  void tryAll(kernel::FusedOp op, size_t stride) {
    ASSERT_TRUE(op);
    auto pool = WeftPool::start(2, /*pin=*/false);
    for (const cpu::Machine &machine : cpu::scheduledMachines()) {
      auto legal = cpu::legalSchedules({op, table}, machine);
      ASSERT_TRUE(succeeded(legal));
      EXPECT_GT(legal->size(), 1u);
      for (size_t i = 0; i < legal->size(); i += stride) {
        EXPECT_TRUE(succeeded(cpu::checkSchedule(op, (*legal)[i], machine)));
        KernelTrial trial(op, machine.isa, (*legal)[i]);
        ASSERT_FALSE(trial.problem()) << *trial.problem();
        std::optional<double> off = trial.check(sizes, *pool);
        EXPECT_TRUE(off && *off < 1e-5)
            << op.getLabel().str() << " with schedule " << i << " is off by " << off.value_or(-1);
      }
    }
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  kernel::DimTable table;
  Sizes sizes;
};

TEST_F(Schedules, OfContractionsAreRight) {
  tryAll(first(kernel::Family::contraction), 41);
}
TEST_F(Schedules, OfContractionsThatPackAreRight) {
  tryAll(first(kernel::Family::contraction, /*packs=*/true), 41);
}
TEST_F(Schedules, OfPacksAreRight) {
  tryAll(first(kernel::Family::pack), 5);
}
TEST_F(Schedules, OfAttentionAreRight) {
  tryAll(first(kernel::Family::attention), 5);
}
TEST_F(Schedules, OfGradientsOfAttentionAreRight) {
  tryAll(first(kernel::Family::attention_grad), 4);
}
TEST_F(Schedules, OfRowsAreRight) {
  tryAll(first(kernel::Family::rows), 1);
}
TEST_F(Schedules, OfScattersAreRight) {
  tryAll(first(kernel::Family::scatter), 1);
}

// What is written by hand is emitted as it says, and the number of its tasks is another.
TEST_F(Schedules, ByHandAreTaken) {
  kernel::FusedOp op = first(kernel::Family::rows);
  Sizes large = sizesOf(*module, {{"batch", 4}, {"seq", 64}}, /*small=*/true).sizes;
  KernelTrial one(op, cpu::Isa::avx512, cpu::RowsAttr::get(&context, 1, 1 << 20));
  KernelTrial many(op, cpu::Isa::avx512, cpu::RowsAttr::get(&context, 1, 1));
  ASSERT_TRUE(!one.problem() && !many.problem());
  EXPECT_EQ(one.tasks(large), 1);
  EXPECT_GT(many.tasks(large), 64);
}

// Keys are cut by hand as by the cost model; AttentionTest has what that gives.
TEST_F(Schedules, OfAttentionByHandCutKeys) {
  Sizes large = sizesOf(*module, {{"batch", 1}, {"seq", 64}}, /*small=*/true).sizes;
  for (kernel::Family family : {kernel::Family::attention, kernel::Family::attention_grad}) {
    kernel::FusedOp op = first(family);
    ASSERT_TRUE(op);
    auto usual = cpu::defaultSchedule({op, table}, cpu::machineOf(cpu::Isa::avx512));
    ASSERT_TRUE(succeeded(usual));
    kernel::ScheduleAttr schedule;
    if (auto own = dyn_cast<cpu::AttentionAttr>(*usual))
      schedule = cpu::AttentionAttr::get(&context, own.getTile(), own.getValueTile(),
                                         own.getUnroll(), own.getAccumulators(), 48, 24, 16, 8, 1,
                                         /*split_tasks=*/1000, /*split_keys=*/16);
    else if (auto own = dyn_cast<cpu::AttentionGradAttr>(*usual))
      schedule = cpu::AttentionGradAttr::get(&context, own.getTile(), own.getDepthTile(),
                                             own.getValueTile(), own.getUnroll(),
                                             own.getAccumulators(), 24, 16,
                                             /*split_tasks=*/1000, /*split_keys=*/16);
    KernelTrial cut(op, cpu::Isa::avx512, schedule);
    ASSERT_FALSE(cut.problem());
    // Four heads, of attention two blocks of queries; 64 keys are four ranges.
    EXPECT_EQ(cut.tasks(large), family == kernel::Family::attention ? 4 * 2 * 4 : 4 * 4);
  }
}

// The number of cores that a module says is what schedules are chosen by.
TEST_F(Schedules, AreForTheCoresOfTheModule) {
  kernel::FusedOp op = first(kernel::Family::attention_grad);
  cpu::Machine usual = cpu::machineFor(cpu::Isa::avx512, op);
  EXPECT_EQ(usual.cores, cpu::machineOf(cpu::Isa::avx512).cores);
  (*module)->setAttr(cpu::coresAttr, mlir::Builder(&context).getI64IntegerAttr(3));
  cpu::Machine few = cpu::machineFor(cpu::Isa::avx512, op);
  EXPECT_EQ(few.cores, 3);
  auto schedule = cpu::defaultSchedule({op, table}, few);
  ASSERT_TRUE(succeeded(schedule));
  EXPECT_EQ(cast<cpu::AttentionGradAttr>(*schedule).getSplitTasks(), 6);
  (*module)->setAttr(cpu::coresAttr, mlir::Builder(&context).getI64IntegerAttr(1));
  schedule = cpu::defaultSchedule({op, table}, cpu::machineFor(cpu::Isa::avx512, op));
  ASSERT_TRUE(succeeded(schedule));
  EXPECT_EQ(cast<cpu::AttentionGradAttr>(*schedule).getSplitKeys(), 0);
}

TEST_F(Schedules, ThatDoNotFitAreRefused) {
  kernel::FusedOp op = first(kernel::Family::contraction);
  auto usual = cpu::defaultSchedule({op, table}, cpu::machineOf(cpu::Isa::avx512));
  ASSERT_TRUE(succeeded(usual));
  KernelTrial wide(op, cpu::Isa::x86_64_v3, *usual);
  ASSERT_TRUE(wide.problem());
  EXPECT_NE(wide.problem()->find("8x48, which does not fit the 16 registers of x86-64-v3"),
            std::string::npos)
      << *wide.problem();
  KernelTrial other(op, cpu::Isa::avx512, cpu::PackAttr::get(&context, 4, 512, false));
  ASSERT_TRUE(other.problem());
  EXPECT_NE(other.problem()->find("is no schedule of contraction"), std::string::npos);
}

} // namespace
