// `weft-choose-schedules` with tunings: the kernel that they are of gets the schedule and says so;
// what cannot be used is a warning at its line, and the cost model chooses.
#include "ir/cpu/tuning/KernelKey.h"
#include "ir/cpu/tuning/TunedSchedules.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace weft;

namespace {

const char *text = R"(
model.dim @m
model.dim @k = #model.size<64>
func.func @f(%x: !model.tensor<f32, m, k>) {
  %0 = kernel.fused rows "light" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
    %c = model.neg %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  %1 = kernel.fused rows "mine" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">],
                  schedule = {"x86-64-v3" = #cpu.rows<unroll = 1, elements = 77>}} {
    %c = model.neg %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  %2 = kernel.fused rows "other" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
    %c = model.exp %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  return
})";

class ChooseTuned : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                        mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    module->walk([&](kernel::FusedOp op) { kernels.push_back(op); });
    dims = kernel::DimTable::of(*module);
  }

  /// What a machine that is called "here" has found of a kernel.
  cpu::Tuning tuning(size_t kernel, const std::string &schedule) {
    auto usual = cpu::defaultSchedule({kernels[kernel], dims}, cpu::machineOf(cpu::Isa::x86_64_v3));
    return {.kernel = cpu::keyOf(kernels[kernel], dims).hash,
            .what = "rows \"light\"",
            .set = "x86-64-v3",
            .machine = "here",
            .by = cpu::madeBy(kernel::Family::rows),
            .sizes = "m=5",
            .usual = cpu::textOf(*usual),
            .tuned = schedule,
            .usualMicroseconds = 2,
            .tunedMicroseconds = 1,
            .pairs = 20};
  }

  /// Runs the pass; gives its warnings, each with its line.
  std::vector<std::string> choose(const std::string &tunings, const std::string &machine = "here") {
    // Tests run side by side, each in a process of its own.
    std::string path = testing::TempDir() + "/weft choose tuned, {1} " + std::to_string(getpid());
    std::ofstream(path) << tunings;
    std::vector<std::string> said;
    mlir::ScopedDiagnosticHandler listening(&context, [&](mlir::Diagnostic &each) {
      auto at = mlir::dyn_cast<mlir::FileLineColLoc>(each.getLocation());
      said.push_back((at ? std::to_string(at.getLine()) : "?") + ": " + each.str());
    });
    mlir::PassManager manager(&context);
    manager.addPass(createChooseSchedules({"cpu", 0, path, machine}));
    EXPECT_TRUE(succeeded(manager.run(*module)));
    std::filesystem::remove(path);
    return said;
  }

  std::string schedule(size_t kernel, const char *set = "x86-64-v3") {
    return cpu::textOf(kernels[kernel].getScheduleAttr().getAs<kernel::ScheduleAttr>(set));
  }
  bool isTuned(size_t kernel) { return bool(kernels[kernel]->getAttr(cpu::tunedAttr)); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<kernel::FusedOp> kernels;
  kernel::DimTable dims;
};

const std::string found = "#cpu.rows<unroll = 2, elements = 1024>";

TEST_F(ChooseTuned, TakesWhatWasFound) {
  std::string usual = tuning(0, found).usual;
  EXPECT_TRUE(choose(cpu::writeTuning(tuning(0, found))).empty());
  EXPECT_EQ(schedule(0), found);
  EXPECT_EQ(schedule(0, "avx512"), usual);
  EXPECT_EQ(kernels[0]->getAttr(cpu::tunedAttr),
            mlir::Builder(&context).getStrArrayAttr({"x86-64-v3"}));
  // What the module says stays, though its kernel is the same; another kernel has the default.
  EXPECT_EQ(schedule(1), "#cpu.rows<unroll = 1, elements = 77>");
  EXPECT_FALSE(isTuned(1));
  EXPECT_EQ(schedule(2), tuning(2, found).usual);
  EXPECT_FALSE(isTuned(2));
}

TEST_F(ChooseTuned, IsTheDefaultWhereThatIsAsGood) {
  cpu::Tuning same = tuning(0, found);
  same.tuned = same.usual;
  same.pairs = 0;
  EXPECT_TRUE(choose(cpu::writeTuning(same)).empty());
  EXPECT_EQ(schedule(0), same.usual);
  EXPECT_FALSE(isTuned(0));
}

TEST_F(ChooseTuned, WarnsOfEachThatCannotBeUsedAndUsesTheRest) {
  cpu::Tuning illegal = tuning(0, "#cpu.pack<panels = 1, rows = 2>"), foreign = tuning(0, found),
              stale = tuning(0, found);
  foreign.machine = "there";
  stale.by = "weft 0.0.0, rows 0";
  std::string broken = cpu::writeTuning(tuning(0, found));
  broken[broken.find("pairs 20") + 6] = '3';
  std::vector<std::string> said =
      choose("# four, then one\n" + cpu::writeTuning(illegal) + cpu::writeTuning(foreign) +
             cpu::writeTuning(stale) + broken + cpu::writeTuning(tuning(2, found)));
  ASSERT_EQ(said.size(), 4u);
  EXPECT_EQ(said[0], "10: this tuning is not used: it is of another machine: there; this is here");
  EXPECT_EQ(said[1].find("18: this tuning is not used: it is by weft 0.0.0, rows 0, and this is "),
            0u);
  EXPECT_EQ(said[2].find("33: this tuning is not used: it is not as it was written"), 0u)
      << said[2];
  EXPECT_EQ(said[3].find("2: this tuning is not used: "), 0u);
  EXPECT_NE(said[3].find("is no schedule of rows"), std::string::npos) << said[3];
  EXPECT_EQ(schedule(0), tuning(0, found).usual);
  EXPECT_EQ(schedule(2), found);
}

// A gain over another default is none that is known of.
TEST_F(ChooseTuned, KnowsTheDefaultThatItWasComparedWith) {
  cpu::Tuning other = tuning(0, found);
  other.usual = "#cpu.rows<unroll = 4, elements = 8192>";
  std::vector<std::string> said = choose(cpu::writeTuning(other));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("1: this tuning is not used: it was compared with another default"),
            std::string::npos);
  EXPECT_FALSE(isTuned(0));
}

} // namespace
