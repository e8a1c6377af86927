// Every kernel that real programs become for a GPU, one by one, on the emulator, against the
// interpreter.
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cuda/Cuda.h"
#include "passes/Pipeline.h"
#include "tools/kernel/EmulatedKernel.h"
#include "tools/kernel/Inputs.h"

#include "mlir/Parser/Parser.h"

#include <iostream>
#include <random>
#include <set>

using namespace weft;
using namespace weft::test;

namespace {

/// The module in `file` as the kernel stage leaves it for a GPU.
mlir::OwningOpRef<mlir::ModuleOp> compiled(mlir::MLIRContext &context, const std::string &file) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + file, &context);
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered || failed(addStage(manager, stage,
                                       {.notForTarget = cudaTarget().passesLeftOut(),
                                        .machines = cudaTarget().schedules()})))
      return {};
  if (!module || failed(manager.run(*module)))
    return {};
  return module;
}

struct Program {
  const char *file;
  const char *device;
};

class EveryGpuKernel : public testing::TestWithParam<Program> {};

TEST_P(EveryGpuKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam().file);
  ASSERT_TRUE(module);
  const cuda::Device *device = llvm::find_if(
      cuda::devices(), [](const cuda::Device &each) { return each.name == GetParam().device; });
  Sizes sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  std::set<std::string> seen;
  double largest = 0;
  int compared = 0;
  uint64_t drawn = std::random_device()();
  module->walk([&](kernel::FusedOp op) {
    std::string text = Kernel::alone(op);
    if (!seen.insert(text).second)
      return;
    auto module = alone(op);
    EmulatedKernel k(*module, *device);
    ASSERT_FALSE(k.problem()) << *k.problem() << '\n' << text;
    for (bool positive : {true, false}) {
      std::vector<Tensor> inputs = inputsOf(op, sizes, positive);
      auto want = interpret(op, sizes, inputs, {7, 3});
      ASSERT_TRUE(want);
      for (uint64_t seed : {uint64_t(0), uint64_t(1), drawn + compared}) {
        auto got = k.run(sizes, inputs, {.seed = seed, .races = true}, {7, 3});
        ASSERT_FALSE(got.problem) << "seed " << seed << ": " << *got.problem << '\n' << text;
        for (size_t r = 0; r < want->size(); ++r) {
          double off = difference(got.results[r], (*want)[r]);
          ASSERT_LE(off, 1e-5) << "result " << r << ", seed " << seed << ", of\n" << text;
          largest = std::max(largest, off);
          ++compared;
        }
      }
    }
  });
  EXPECT_GT(seen.size(), 10u);
  std::cout << seen.size() << " kernels, " << compared << " results, at most " << largest << '\n';
}

INSTANTIATE_TEST_SUITE_P(Program, EveryGpuKernel,
                         testing::Values(Program{"gpt.mlir", "sm_80"},
                                         Program{"gpt.mlir", "sm_90a"},
                                         Program{"llama-logits.mlir", "sm_80"},
                                         Program{"vit.mlir", "sm_80"},
                                         Program{"translation.mlir", "sm_80"}),
                         [](const auto &info) {
                           std::string name = info.param.file;
                           name = name.substr(0, name.find('.')) + "_" + info.param.device;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
