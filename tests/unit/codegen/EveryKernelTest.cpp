// Every kernel that real programs become, one by one, against the interpreter.
#include "KernelHarness.h"

#include "ir/cpu/Cpu.h"
#include "passes/Pipeline.h"
#include "tools/kernel/Inputs.h"

#include "mlir/Parser/Parser.h"

#include <set>

using namespace weft;
using namespace weft::test;

namespace {

/// The module in `file` as the kernel stage leaves it.
mlir::OwningOpRef<mlir::ModuleOp> compiled(mlir::MLIRContext &context, const std::string &file) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                      mlir::func::FuncDialect>();
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + file, &context);
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered || failed(addStage(manager, stage)))
      return {};
  if (!module || failed(manager.run(*module)))
    return {};
  return module;
}

class EveryKernel : public testing::TestWithParam<const char *> {};

TEST_P(EveryKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam());
  ASSERT_TRUE(module);
  Sizes sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  std::set<std::string> seen;
  int inPlace = 0; // kernels that a plan may launch so
  module->walk([&](kernel::FusedOp op) {
    std::string text = Kernel::alone(op);
    if (!seen.insert(text).second)
      return;
    for (const cpu::Machine &machine : cpu::machines()) {
      Kernel k(machine.isa, text);
      ASSERT_TRUE(k.ok()) << text;
      k.setRandom({7, 3});
      for (bool positive : {true, false}) {
        std::vector<Tensor> inputs = inputsOf(op, sizes, positive);
        std::vector<Tensor> got = k.run(sizes, inputs), want = k.interpret(sizes, inputs);
        for (size_t r = 0; r < want.size(); ++r)
          ASSERT_TRUE(close(got[r], want[r], 1e-5)) << "result " << r << " of\n" << text;
      }
      inPlace += k.inPlaceRuns() > 0;
    }
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_GT(inPlace, 0);
}

INSTANTIATE_TEST_SUITE_P(Program, EveryKernel,
                         testing::Values("gpt.mlir", "llama-logits.mlir", "vit.mlir",
                                         "translation.mlir"),
                         [](const auto &info) {
                           std::string name = info.param;
                           name = name.substr(0, name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace
