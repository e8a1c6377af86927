// Attention of a GPU on the emulator, against the interpreter: sizes around every tile, masks,
// grouped queries, layouts, large scores; in several orders of threads, with races looked for.
#include "tests/unit/codegen/AttentionCase.h"
#include "tests/unit/codegen/KernelHarness.h"

#include "ir/cuda/Cuda.h"
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tools/kernel/EmulatedKernel.h"

#include "mlir/Parser/Parser.h"

#include <random>

using namespace weft;
using namespace weft::test;

namespace {

/// Normal numbers, larger than usual by `factor`.
std::vector<Tensor> inputsOf(const AttentionCase &attention, const Sizes &sizes, uint64_t seed,
                             double factor = 1) {
  std::vector<Tensor> inputs{Tensor::normal(attention.q, sizes, seed),
                             Tensor::normal(attention.k, sizes, seed + 1),
                             Tensor::normal(attention.v, sizes, seed + 2)};
  for (double &each : inputs[0].data)
    each *= factor;
  return inputs;
}

struct GpuAttention : testing::TestWithParam<const char *> {
  mlir::MLIRContext context;
  uint64_t drawn = std::random_device()();

  /// Compiles once and runs for each of `all`, in three orders.
  void check(const AttentionCase &attention, const std::vector<Sizes> &all,
             const std::function<double(const Index &)> &mask = nullptr, double factor = 1) {
    context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                        mlir::func::FuncDialect>();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(attention.forwardKernel(), &context);
    ASSERT_TRUE(module);
    const cuda::Device *device = llvm::find_if(
        cuda::devices(), [](const cuda::Device &each) { return each.name == GetParam(); });
    EmulatedKernel kernel(*module, *device);
    ASSERT_FALSE(kernel.problem()) << *kernel.problem();
    for (Sizes sizes : all) {
      for (const std::string &dim : attention.dims)
        if (size_t equals = dim.find('='); equals != std::string::npos)
          sizes[dim.substr(0, equals)] = std::stoll(dim.substr(equals + 1));
      std::string text = "numbers and order from " + std::to_string(drawn) + ", ";
      for (const auto &[dim, size] : sizes)
        text += dim + "=" + std::to_string(size) + " ";
      SCOPED_TRACE(text);
      std::vector<Tensor> inputs = inputsOf(attention, sizes, drawn, factor);
      if (!attention.operand.empty())
        inputs.push_back(Tensor::of(attention.operand, sizes, mask));
      Tensor gradient = Tensor::normal(attention.output(), sizes, drawn + 3);
      std::vector<Tensor> want = attention.reference(sizes, inputs, gradient);
      ASSERT_EQ(want.size(), 5u);
      for (uint64_t order : {uint64_t(0), uint64_t(1), drawn}) {
        auto got = kernel.run(sizes, inputs, {.seed = order, .races = true});
        ASSERT_FALSE(got.problem) << *got.problem;
        // What is below a score's last bit is lost in f32, on every machine.
        double error = factor > 1 ? 1e-5 * factor : 1e-5;
        EXPECT_TRUE(close(got.results[0], want[0], error)) << "output, order " << order;
        EXPECT_TRUE(close(got.results[1], want[1], error)) << "logsumexp, order " << order;
      }
    }
  }
};

AttentionCase headsOf(const char *depth, const char *values) {
  return {.dims = {"b", "s", "t", "h=2", depth, values},
          .q = {"b", "s", "h", "d"},
          .k = {"b", "t", "h", "d"},
          .v = {"b", "t", "h", "w"}};
}
const AttentionCase heads = headsOf("d=16", "w=8");

TEST_P(GpuAttention, EveryTail) {
  std::vector<Sizes> all;
  for (int64_t s : {0, 1, 3, 31, 33, 63, 64, 65})
    all.push_back({{"b", 1}, {"s", s}, {"t", 5}});
  for (int64_t t : {0, 1, 15, 17, 31, 32, 33, 63, 64, 65})
    all.push_back({{"b", 2}, {"s", 3}, {"t", t}});
  check(heads, all);
}

TEST_P(GpuAttention, DepthsAndValues) {
  for (auto [depth, values] : {std::pair("d=1", "w=1"),
                               {"d=5", "w=33"},
                               {"d=33", "w=3"},
                               {"d=64", "w=64"},
                               {"d=128", "w=128"},
                               {"d=65", "w=127"}}) {
    SCOPED_TRACE(std::string(depth) + " " + values);
    check(headsOf(depth, values), {{{"b", 1}, {"s", 9}, {"t", 35}}});
  }
}

TEST_P(GpuAttention, Causal) {
  std::vector<Sizes> all;
  for (int64_t s : {1, 2, 33, 65, 130})
    all.push_back({{"b", 1}, {"s", s}, {"t", s}});
  check(causal(heads), all);
  AttentionCase after = causalAfter("known", heads);
  after.dims.emplace_back("known");
  check(after, {{{"b", 2}, {"s", 1}, {"t", 71}, {"known", 70}},
                {{"b", 1}, {"s", 5}, {"t", 12}, {"known", 7}}});
}

TEST_P(GpuAttention, GroupedQueries) {
  AttentionCase grouped{.dims = {"b", "s", "t", "h=2", "g=3", "d=16"},
                        .q = {"b", "s", "h", "g", "d"},
                        .k = {"b", "t", "h", "d"},
                        .v = {"b", "t", "h", "d"}};
  std::vector<Sizes> all{{{"b", 2}, {"s", 7}, {"t", 7}}, {{"b", 1}, {"s", 23}, {"t", 23}}};
  check(grouped, all);
  check(causal(grouped), all);
}

// Every third row keeps nothing: its output is 0, its logsumexp -inf.
TEST_P(GpuAttention, RowsThatKeepNothing) {
  AttentionCase attention = heads;
  attention.maskDims = attention.operand = {"b", "s", "t"};
  attention.mask = "%mask = model.not %m : !model.tensor<i1, b, s, t>";
  check(attention, {{{"b", 2}, {"s", 35}, {"t", 70}}, {{"b", 1}, {"s", 7}, {"t", 3}}},
        [](const Index &at) {
          return at.at("s") % 3 == 0 || (at.at("s") * 7 + at.at("t") * 5) % 4 == 0;
        });
}

// Exponentials of such scores are no f32.
TEST_P(GpuAttention, LargeScores) {
  check(causal(heads), {{{"b", 1}, {"s", 40}, {"t", 40}}}, nullptr, 100);
}

bool isHidden(const llvm::Value *value) {
  auto *constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  return constant && constant->isInfinity() && constant->isNegative();
}

/// Where the score of a key that is none is left out.
std::vector<llvm::ICmpInst *> boundsOfKeys(llvm::Module &module) {
  std::vector<llvm::ICmpInst *> bounds;
  for (llvm::Instruction *each : instructionsOf(module, llvm::Instruction::Select))
    if (auto *bound = llvm::dyn_cast<llvm::ICmpInst>(each->getOperand(0));
        bound && isHidden(each->getOperand(2)) && bound->getPredicate() == llvm::CmpInst::ICMP_SLT)
      bounds.push_back(bound);
  return bounds;
}

void eraseBarrier(llvm::Module &module, size_t which) {
  erase(callOf(module, "barrier.cta.sync", which));
}

const Mutant mutants[] = {
    {"keys are staged before the values have been read",
     [](llvm::Module &module) { eraseBarrier(module, 0); }, "nothing puts them in order"},
    {"scores are of keys that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 1); }, "nothing puts them in order"},
    {"values are staged before the keys have been read",
     [](llvm::Module &module) { eraseBarrier(module, 2); }, "nothing puts them in order"},
    {"sums are of values that may not be there",
     [](llvm::Module &module) { eraseBarrier(module, 3); }, "nothing puts them in order"},
    {"there is a key after the last",
     [](llvm::Module &module) {
       ASSERT_FALSE(boundsOfKeys(module).empty());
       for (llvm::ICmpInst *bound : boundsOfKeys(module))
         bound->setPredicate(llvm::CmpInst::ICMP_SLE);
     },
     "are wrong"},
    // Sixteen threads have a row: those of its second half ask the row beside it.
    {"half of a row's threads have another highest score",
     [](llvm::Module &module) { change(callOf(module, "shfl.sync"), 2, 8); }, "are wrong"},
    {"rows have each other's sums of weights",
     [](llvm::Module &module) {
       std::vector<llvm::Instruction *> inverses = instructionsOf(module, llvm::Instruction::FDiv);
       ASSERT_GE(inverses.size(), 2u);
       // The second row's sum comes later in the code: the second takes that of the first.
       inverses[1]->setOperand(1, inverses[0]->getOperand(1));
     },
     "are wrong"},
};

TEST_P(GpuAttention, FaultsAreFound) {
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(heads.forwardKernel(), &context);
  ASSERT_TRUE(module);
  const cuda::Device *device = llvm::find_if(
      cuda::devices(), [](const cuda::Device &each) { return each.name == GetParam(); });
  Sizes sizes{{"b", 1}, {"s", 65}, {"t", 70}, {"h", 2}, {"d", 16}, {"w", 8}};
  std::vector<Tensor> inputs = inputsOf(heads, sizes, drawn);
  std::vector<Tensor> want =
      heads.reference(sizes, inputs, Tensor::normal(heads.output(), sizes, drawn + 3));
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel kernel(*module, *device, /*accesses=*/true, /*alignment=*/0, change);
    EXPECT_FALSE(kernel.problem()) << *kernel.problem();
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = kernel.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      bool right = close(got.results[0], want[0], 1e-5) && close(got.results[1], want[1], 1e-5);
      return right ? "" : "results are wrong";
    });
  };
  EXPECT_EQ(run(nullptr), "") << "without a fault, numbers from " << drawn;
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

INSTANTIATE_TEST_SUITE_P(Device, GpuAttention, testing::Values("sm_80", "sm_90a"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
