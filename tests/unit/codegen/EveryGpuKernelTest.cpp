// Every kernel that real programs become for a GPU, one by one, on the emulator, against the
// interpreter.
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cuda/Cuda.h"
#include "ir/model/Entries.h"
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

struct Program {
  const char *file;
  const char *device;
  model::Precision precision = model::Precision::float32;
};

/// The module in `file` as the kernel stage leaves it for a GPU.
mlir::OwningOpRef<mlir::ModuleOp> compiled(mlir::MLIRContext &context, const Program &program) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + program.file,
                                                      &context);
  if (!module)
    return {};
  model::setPrecision(*module, program.precision);
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered || failed(addStage(manager, stage,
                                       {.notForTarget = cudaTarget().passesLeftOut(),
                                        .machines = cudaTarget().schedules()})))
      return {};
  if (failed(manager.run(*module)))
    return {};
  return module;
}

class EveryGpuKernel : public testing::TestWithParam<Program> {};

TEST_P(EveryGpuKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam());
  ASSERT_TRUE(module);
  const cuda::Device *device = llvm::find_if(
      cuda::devices(), [](const cuda::Device &each) { return each.name == GetParam().device; });
  Sizes sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  std::set<std::string> seen;
  double largest = 0;
  int compared = 0, multiplies = 0;
  uint64_t drawn = std::random_device()();
  module->walk([&](kernel::FusedOp op) {
    std::string text = Kernel::alone(op);
    if (!seen.insert(text).second)
      return;
    auto module = alone(op);
    // Every other kernel may count on more than the size of an element, as a plan often shows.
    EmulatedKernel k(*module, *device, /*accesses=*/true, /*alignment=*/seen.size() % 2 ? 16 : 0);
    ASSERT_FALSE(k.problem()) << *k.problem() << '\n' << text;
    multiplies += k.ptx().find("mma.") != std::string::npos;
    for (bool positive : {true, false}) {
      std::vector<Tensor> inputs = inputsOf(op, sizes, positive);
      auto want = interpret(op, sizes, inputs, {7, 3});
      ASSERT_TRUE(want);
      auto bounds = boundsOfNarrowWeights(op, sizes, inputs);
      // Five orders of warps in all: theirs, the other way round, and three that are drawn.
      for (uint64_t seed :
           {uint64_t(!positive), drawn + compared, drawn + compared + 1 + positive}) {
        auto got = k.run(sizes, inputs, {.seed = seed, .races = true}, {7, 3});
        ASSERT_FALSE(got.problem) << "seed " << seed << ": " << *got.problem << '\n' << text;
        for (size_t r = 0; r < want->size(); ++r) {
          Tensor result = got.results[r];
          if (kernel::storageIn(op.getLayoutsAttr()[inputs.size() + r]))
            result = beforeRounding(result, (*want)[r]);
          if (bounds)
            result = within(result, (*want)[r], (*bounds)[r]);
          double off = difference(result, (*want)[r]);
          ASSERT_LE(off, 1e-5) << "result " << r << ", seed " << seed << ", of\n" << text;
          largest = std::max(largest, off);
          ++compared;
        }
      }
    }
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_EQ(multiplies > 0, GetParam().precision != model::Precision::float32);
  std::cout << seen.size() << " kernels, " << compared << " results, at most " << largest << ", "
            << multiplies << " by matrix instructions\n";
}

INSTANTIATE_TEST_SUITE_P(Program, EveryGpuKernel, testing::ValuesIn([] {
                           std::vector<Program> all;
                           for (auto precision :
                                {model::Precision::float32, model::Precision::bf16}) {
                             all.push_back({"gpt.mlir", "sm_90a", precision});
                             for (const char *file :
                                  {"gpt.mlir", "llama-logits.mlir", "vit.mlir", "translation.mlir"})
                               all.push_back({file, "sm_80", precision});
                           }
                           for (const char *file : {"gpt.mlir", "vit.mlir"})
                             all.push_back({file, "sm_80", model::Precision::tf32});
                           return all;
                         }()),
                         [](const auto &info) {
                           std::string name = info.param.file;
                           name = name.substr(0, name.find('.')) + "_" + info.param.device;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_" + std::string(precisionName(info.param.precision));
                         });

} // namespace
