// Every kernel that real programs become, one by one, against the interpreter. Compiling them is
// what takes the time: each is tried on half of the instruction sets that it has code of its own
// for, drawn anew (WEFT_ALL=1: on all of them).
#include "Draw.h"
#include "KernelHarness.h"

#include "codegen/Target.h"
#include "ir/cpu/Cpu.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "passes/Pipeline.h"
#include "tools/kernel/Inputs.h"
#include "tools/kernel/Interpreted.h"

#include "mlir/Parser/Parser.h"

#include <set>

using namespace weft;
using namespace weft::test;

namespace {

struct Program {
  const char *file;
  model::Precision precision;
  const char *weights = ""; ///< as `--weights-as` takes them
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
  if (*program.weights)
    (*module)->setAttr(model::attr::weights, mlir::StringAttr::get(&context, program.weights));
  mlir::PassManager manager(&context);
  for (const char *stage : {"model", "fused", "kernel"})
    if (!registered ||
        failed(addStage(manager, stage, {.notForTarget = cpuTarget().passesLeftOut()})))
      return {};
  if (failed(manager.run(*module)))
    return {};
  return module;
}

/// The machines that `op` is tried on: half of them, but all for the first kernel of a program that
/// reads weights in one way or another, which `met` notes.
std::vector<cpu::Machine> drawn(kernel::FusedOp op, Draw &draw, std::set<int> &met) {
  bool isPaired =
      kernel::multipliesPairs(op) || (op.getFamily() == kernel::Family::contraction &&
                                      llvm::any_of(op.getLayoutsAttr(), kernel::isPaired));
  std::vector<cpu::Machine> machines;
  for (const cpu::Machine &machine : cpu::machines()) // of others the kernel is that of avx512
    if (machine.name == machine.schedules || isPaired || kernel::multipliesScaledPairs(op))
      machines.push_back(machine);
  int way = kernel::multipliesPairs(op)         ? 1
            : kernel::multipliesScaledPairs(op) ? 2
            : isPaired                          ? 3
                                                : 0;
  if (std::getenv("WEFT_ALL") || (way > 0 && met.insert(way).second))
    return machines;
  // Of four one has products of pairs as an instruction.
  std::vector<cpu::Machine> half;
  for (size_t i = 0, count = machines.size() / 2; i < count; ++i) {
    size_t first = i * machines.size() / count, end = (i + 1) * machines.size() / count;
    half.push_back(machines[first + draw.below(end - first)]);
  }
  return half;
}

/// What a kernel is given, and what it should give.
struct Case {
  std::vector<Tensor> inputs, want;
  std::optional<std::vector<Tensor>> bounds;
};

class EveryKernel : public testing::TestWithParam<Program> {};

TEST_P(EveryKernel, AgreesWithTheInterpreter) {
  mlir::MLIRContext context;
  auto module = compiled(context, GetParam());
  ASSERT_TRUE(module);
  Sizes sizes = sizesOf(*module, {}, /*small=*/true).sizes;
  std::set<std::string> seen;
  std::set<int> met;
  Draw draw(Seeds(1).first);
  // Kernels that a plan may launch so; results that are bfloat16, or weights that share scales.
  int inPlace = 0, narrow = 0, grouped = 0, dots = 0, scaled = 0, rows = 0;
  module->walk([&](kernel::FusedOp op) {
    std::string text = Kernel::alone(op);
    if (!seen.insert(text).second)
      return;
    std::vector<Case> cases;
    for (const cpu::Machine &machine : drawn(op, draw, met)) {
      Kernel k(machine.isa, text);
      ASSERT_TRUE(k.ok()) << text;
      k.setRandom({7, 3});
      if (cases.empty())
        for (bool positive : {true, false}) {
          Case one{inputsOf(op, sizes, positive), {}, {}};
          one.want = k.interpret(sizes, one.inputs);
          one.bounds = boundsOfNarrowWeights(op, sizes, one.inputs);
          cases.push_back(std::move(one));
        }
      for (const auto &[inputs, want, bounds] : cases) {
        std::vector<Tensor> got = k.run(sizes, inputs);
        for (size_t r = 0; r < want.size(); ++r) {
          mlir::Attribute layout = op.getLayoutsAttr()[inputs.size() + r];
          if (kernel::weightFormatOf(layout)) {
            ++grouped;
            ASSERT_TRUE(isRoundedTo(layout, got[r], want[r])) << text;
            continue;
          }
          bool rounds = bool(kernel::storageIn(layout));
          narrow += rounds;
          Tensor result = rounds ? beforeRounding(got[r], want[r]) : got[r];
          if (bounds)
            result = within(result, want[r], (*bounds)[r]);
          ASSERT_TRUE(close(result, want[r], 1e-5))
              << "result " << r << " on " << machine.name.str() << ", of\n"
              << text;
        }
      }
      inPlace += k.inPlaceRuns() > 0;
      rows += k.rowRuns() > 0;
      dots += k.llvm().find(".dots.") != std::string::npos;
      scaled += k.llvm().find(".scaled.") != std::string::npos;
    }
  });
  EXPECT_GT(seen.size(), 10u);
  EXPECT_GT(inPlace, 0);
  if (llvm::StringRef(GetParam().file) == "gpt.mlir")
    EXPECT_GT(rows, 0); // few, and a batch of several
  EXPECT_EQ(narrow > 0, GetParam().precision == model::Precision::bf16);
  EXPECT_EQ(dots > 0, GetParam().precision == model::Precision::bf16);
  EXPECT_EQ(grouped > 0, *GetParam().weights != 0);
  EXPECT_EQ(scaled > 0, dots > 0 && grouped > 0);
}

INSTANTIATE_TEST_SUITE_P(
    Program, EveryKernel, testing::ValuesIn([] {
      std::vector<Program> all;
      for (auto precision : {model::Precision::float32, model::Precision::bf16})
        for (const char *file : {"gpt.mlir", "llama-logits.mlir", "vit.mlir", "translation.mlir"})
          all.push_back({file, precision});
      for (const char *weights : {"int8,head=int4", "int4,head=int8"})
        all.push_back({"gpt.mlir", model::Precision::float32, weights});
      all.push_back({"llama-logits.mlir", model::Precision::bf16, "int8"});

      return all;
    }()),
    [](const auto &info) {
      std::string name = info.param.file;
      name = name.substr(0, name.find('.'));
      std::replace(name.begin(), name.end(), '-', '_');
      bool isNarrow = info.param.precision == model::Precision::bf16;
      std::string weights = info.param.weights;
      weights = weights.substr(0, weights.find(','));
      return name + (isNarrow ? "_bf16" : "") + (weights.empty() ? "" : "_" + weights);
    });

} // namespace
