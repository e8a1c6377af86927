// What is estimated of a kernel from its schedule and sizes alone, beside what the same kernel does
// on the emulator.
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cuda/Cuda.h"
#include "passes/Pipeline.h"
#include "tools/kernel/EmulatedTrial.h"
#include "tools/kernel/Estimated.h"
#include "tools/kernel/Inputs.h"

#include "mlir/Parser/Parser.h"

#include <iostream>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

/// Of a file, or of `file:bf16`.
mlir::OwningOpRef<mlir::ModuleOp> lowered(mlir::MLIRContext &context, llvm::StringRef program) {
  auto [file, precision] = program.split(':');
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      (llvm::StringRef(WEFT_INPUTS) + "/" + file).str(), &context);
  if (module && !precision.empty())
    (*module)->setAttr("model.precision", mlir::StringAttr::get(&context, precision));
  mlir::PassManager manager(&context);
  StageOptions options;
  options.notForTarget = cudaTarget().passesLeftOut();
  options.machines = cudaTarget().schedules();
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered || failed(addStage(manager, stage, options)))
      return {};
  return module && succeeded(manager.run(*module)) ? std::move(module) : nullptr;
}

/// Of all kernels of a program, how far the estimates are from what is counted.
class Estimates : public testing::TestWithParam<const char *> {};

/// Seconds without the start of a launch and what its blocks wait for.
double busy(const emulator::Prediction &time, const emulator::Device &device) {
  return time.seconds - time.launches * device.start - time.waves * device.latency;
}

TEST_P(Estimates, AreNearWhatTheEmulatorCounts) {
  mlir::MLIRContext context;
  auto module = lowered(context, GetParam());
  ASSERT_TRUE(module);
  auto table = kernel::DimTable::of(*module);
  Sizes given;
  for (auto dim : module->getOps<model::DimOp>())
    if (!dim.getSize())
      given[dim.getSymName().str()] = 16;
  Sizes sizes = sizesOf(*module, given, /*small=*/true).sizes;
  kernel::SizesAt at = [&](const Size &size) {
    return *size.evaluate([&](const std::string &name) { return std::optional(sizes.at(name)); });
  };
  const emulator::Device &device = emulator::a100();
  std::set<std::string> seen;
  double estimated = 0, counted = 0, least = 1e9, most = 0;
  module->walk([&](kernel::FusedOp op) {
    if (!seen.insert(Kernel::alone(op)).second)
      return;
    std::string name = op.getLabel().str();
    auto schedule = op.getScheduleAttr().getAs<cuda::DeviceSchedule>("sm_80");
    ASSERT_TRUE(schedule) << name;
    auto estimate = schedule.estimate({op, table, at});
    auto work = kernel::workOf(op, table, at);
    ASSERT_TRUE(succeeded(estimate) && succeeded(work)) << name;
    EmulatedTrial trial(op, cuda::devices().front());
    ASSERT_FALSE(trial.problem()) << *trial.problem();
    EXPECT_EQ(estimate->blocks, trial.blocks(sizes)) << name;
    EXPECT_EQ(estimate->threads, trial.threadsOfBlock(sizes)) << name;
    EXPECT_EQ(size_t(estimate->sharedBytes), trial.sharedBytes(sizes)) << name;
    EXPECT_GT(estimate->registers, 0) << name;
    EXPECT_LE(estimate->registers, 255) << name;
    auto run = trial.predict(sizes, device, 1);
    ASSERT_TRUE(run) << *trial.problem();
    double all = busy(predict(*estimate, *work, device), device), each = busy(run->time, device);
    estimated += all;
    counted += each;
    constexpr uint64_t worth = 100'000; // of instructions: below, what is around loops is most
    if (run->counts.instructions < worth)
      return;
    // At these sizes most of a tile of matrix instructions is empty: they have tests of their own.
    bool narrow = llvm::StringRef(GetParam()).ends_with("bf16");
    if (narrow && !isa<cuda::RowsAttr, cuda::ColumnsAttr, cuda::ScatterAttr>(schedule))
      return;
    // What is counted once for a whole warp, or for a few elements, may be off by more than time.
    double ratio = all / each;
    EXPECT_TRUE(ratio > 0.4 && ratio < 2.5) << name << ": " << ratio;
    double instructions = estimate->instructions / double(run->counts.instructions);
    EXPECT_TRUE(instructions > 0.4 && instructions < 2.5) << name << ": " << instructions;
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_TRUE(estimated > 0.5 * counted && estimated < 2 * counted) << estimated / counted;
  std::cout << seen.size() << " kernels: together " << estimated / counted
            << " of what is counted, each " << least << " to " << most << '\n';
}

/// A scatter onto another value, whose layout is `base`.
mlir::OwningOpRef<mlir::ModuleOp> scatterOnto(mlir::MLIRContext &context, const std::string &base) {
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(R"(
model.dim @seq
model.dim @vocab
model.dim @model
func.func @f(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %o: !model.tensor<f32, vocab, model>) {
  %r = kernel.fused scatter "onto" (%a = %x : !model.tensor<f32, seq, model>, %b = %t : !model.tensor<i32, seq>,
                                    %c = %o : !model.tensor<f32, vocab, model>) -> (!model.tensor<f32, vocab, model>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<seq: "1">, #kernel.layout<)" +
                                                     base + R"(>,
                             #kernel.layout<vocab: "model", model: "1">],
                  schedule = {sm_80 = #cuda.scatter<threads = 64, positions = 16, vector = 1, blocks = 16>}} {
    %s = model.scatter %a "vocab" = %b : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
    %u = model.add %c, %s : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
    kernel.yield %u : !model.tensor<f32, vocab, model>
  }
  return
})",
                                                 &context);
}

// What rows are added to is not copied where the result may lie over it, else it is read too.
TEST(EstimatesOfScatters, OntoAnotherValue) {
  mlir::MLIRContext context;
  std::vector<double> instructions, bytes;
  for (const char *base : {"vocab: \"model\", model: \"1\"", "vocab: \"1\", model: \"vocab\""}) {
    auto module = scatterOnto(context, base);
    ASSERT_TRUE(module);
    auto table = kernel::DimTable::of(*module);
    Sizes sizes{{"seq", 64}, {"vocab", 2000}, {"model", 64}};
    kernel::SizesAt at = [&](const Size &size) {
      return *size.evaluate([&](const std::string &name) { return std::optional(sizes.at(name)); });
    };
    module->walk([&](kernel::FusedOp op) {
      auto schedule = op.getScheduleAttr().getAs<cuda::DeviceSchedule>("sm_80");
      ASSERT_TRUE(schedule);
      auto estimate = schedule.estimate({op, table, at});
      ASSERT_TRUE(succeeded(estimate));
      EmulatedTrial trial(op, cuda::devices().front());
      ASSERT_FALSE(trial.problem()) << *trial.problem();
      auto run = trial.predict(sizes, emulator::a100(), 1);
      ASSERT_TRUE(run) << *trial.problem();
      double ratio = estimate->instructions / double(run->counts.instructions);
      EXPECT_TRUE(ratio > 0.5 && ratio < 2) << base << ": " << ratio;
      instructions.push_back(double(run->counts.instructions));
      bytes.push_back(estimate->globalBytesMoved);
    });
  }
  ASSERT_EQ(bytes.size(), 2u);
  EXPECT_LT(instructions[0] * 3, instructions[1]);
  EXPECT_EQ(bytes[1] - bytes[0], 2 * 4.0 * 2000 * 64);
}

INSTANTIATE_TEST_SUITE_P(Program, Estimates,
                         testing::Values("gpt.mlir", "gpt.mlir:bf16", "llama-logits.mlir",
                                         "vit.mlir", "translation.mlir"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name.erase(name.find(".mlir"), 5);
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

} // namespace
