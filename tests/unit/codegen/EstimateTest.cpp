// What is estimated of a kernel from its schedule and sizes alone, beside what the same kernel does
// on the emulator.
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cuda/Cuda.h"
#include "passes/Pipeline.h"
#include "tools/kernel/EmulatedTrial.h"
#include "tools/kernel/Inputs.h"

#include "mlir/Parser/Parser.h"

#include <iostream>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

mlir::OwningOpRef<mlir::ModuleOp> lowered(mlir::MLIRContext &context, const std::string &file) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + file, &context);
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
  std::set<std::string> seen;
  module->walk([&](kernel::FusedOp op) {
    if (!seen.insert(Kernel::alone(op)).second)
      return;
    auto schedule = op.getScheduleAttr().getAs<cuda::DeviceSchedule>("sm_80");
    ASSERT_TRUE(schedule);
    auto estimate = schedule.estimate({op, table, at});
    ASSERT_TRUE(succeeded(estimate)) << op.getLabel().str();
    EmulatedTrial trial(op, cuda::devices().front());
    ASSERT_FALSE(trial.problem()) << *trial.problem();
    EXPECT_EQ(estimate->blocks, trial.blocks(sizes)) << op.getLabel().str();
    EXPECT_EQ(estimate->threads, trial.threadsOfBlock()) << op.getLabel().str();
    EXPECT_EQ(size_t(estimate->sharedBytes), trial.sharedBytes()) << op.getLabel().str();
    auto counted = trial.predict(sizes, emulator::a100(), 1);
    ASSERT_TRUE(counted) << *trial.problem();
    auto ratio = [](double x, double y) { return (x + 1) / (y + 1); };
    const emulator::Counts &counts = counted->counts;
    printf("%-40s %-12s instr %6.2f floats %6.2f shared %6.2f global %6.2f   %.0f\n",
           op.getLabel().str().c_str(), stringifyFamily(op.getFamily()).str().c_str(),
           ratio(estimate->instructions, counts.instructions),
           ratio(estimate->floats, counts.floats),
           ratio(estimate->sharedBytesMoved, counts.sharedReads + counts.sharedWrites),
           ratio(estimate->globalBytesMoved, counts.sectors * 32.0), double(counts.instructions));
  });
}

INSTANTIATE_TEST_SUITE_P(Program, Estimates,
                         testing::Values("gpt.mlir", "llama-logits.mlir", "vit.mlir",
                                         "translation.mlir"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name = name.substr(0, name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
