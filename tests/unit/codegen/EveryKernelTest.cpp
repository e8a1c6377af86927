// Every kernel that real programs become, one by one, against the interpreter.
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cpu/Cpu.h"
#include "ir/model/Entries.h"
#include "passes/Pipeline.h"
#include "tools/kernel/Inputs.h"

#include "mlir/Parser/Parser.h"

#include <set>

using namespace weft;
using namespace weft::test;

namespace {

struct Program {
  const char *file;
  model::Precision precision;
};

/// The module in `file` as the kernel stage leaves it.
mlir::OwningOpRef<mlir::ModuleOp> compiled(mlir::MLIRContext &context, const Program &program) {
  static const bool registered = (registerPipeline(), true);
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(std::string(WEFT_INPUTS) + "/" + program.file,
                                                      &context);
  if (!module)
    return {};
  model::setPrecision(*module, program.precision);
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered ||
        failed(addStage(manager, stage, {.notForTarget = cpuTarget().passesLeftOut()})))
      return {};
  if (failed(manager.run(*module)))
    return {};
  return module;
}

class EveryKernel : public testing::TestWithParam<Program> {};

TEST_P(EveryKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam());
  ASSERT_TRUE(module);
  Sizes sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  std::set<std::string> seen;
  int inPlace = 0, narrow = 0; // kernels that a plan may launch so; results that are bfloat16
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
        for (size_t r = 0; r < want.size(); ++r) {
          bool rounds = bool(kernel::storageIn(op.getLayoutsAttr()[inputs.size() + r]));
          narrow += rounds;
          ASSERT_TRUE(close(rounds ? beforeRounding(got[r], want[r]) : got[r], want[r], 1e-5))
              << "result " << r << " of\n"
              << text;
        }
      }
      inPlace += k.inPlaceRuns() > 0;
    }
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_GT(inPlace, 0);
  EXPECT_EQ(narrow > 0, GetParam().precision == model::Precision::bf16);
}

INSTANTIATE_TEST_SUITE_P(Program, EveryKernel, testing::ValuesIn([] {
                           std::vector<Program> all;
                           for (auto precision :
                                {model::Precision::float32, model::Precision::bf16})
                             for (const char *file :
                                  {"gpt.mlir", "llama-logits.mlir", "vit.mlir", "translation.mlir"})
                               all.push_back({file, precision});
                           return all;
                         }()),
                         [](const auto &info) {
                           std::string name = info.param.file;
                           name = name.substr(0, name.find('.'));
                           std::replace(name.begin(), name.end(), '-', '_');
                           bool isNarrow = info.param.precision == model::Precision::bf16;
                           return name + (isNarrow ? "_bf16" : "");
                         });

} // namespace
