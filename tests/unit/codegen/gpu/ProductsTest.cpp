// Products of bf16 by matrix instructions, as the compiler builds them, on the emulator against the
// interpreter: every layout, sizes around those of tiles, buffers as badly aligned as may be.
#include "tests/unit/codegen/KernelHarness.h"

#include "codegen/gpu/Kernels.h"
#include "ir/cuda/Cuda.h"
#include "tests/unit/codegen/gpu/Mutation.h"
#include "tools/kernel/EmulatedKernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <random>

using namespace weft;
using namespace weft::test;

namespace {

constexpr const char *small = "#cuda.mma<rows = 32, columns = 32, depth = 16, warps_down = 2, "
                              "warps_across = 2, stages = 3>";

std::string layout(const std::string &strides, bool narrow) {
  return "#kernel.layout<" + strides + (narrow ? ", storage = bf16>" : ">");
}

/// Numbers that bf16 has.
std::vector<Tensor> drawn(kernel::FusedOp op, const Sizes &sizes) {
  std::vector<Tensor> inputs;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    std::vector<std::string> dims;
    for (model::DimAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.str());
    inputs.push_back(Tensor::normal(dims, sizes, unsigned(number + 1)));
    for (double &each : inputs.back().data)
      each = std::round(each * 16) / 16;
  }
  return inputs;
}

/// The kernel of a text with dimensions, run on tensors that are drawn.
void check(const std::string &text, const Sizes &sizes, int64_t alignment = 0) {
  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  for (const cuda::Device &device : cuda::devices()) {
    EmulatedKernel k(*module, device, /*accesses=*/true, alignment);
    ASSERT_FALSE(k.problem()) << *k.problem() << '\n' << text;
    ASSERT_NE(k.ptx().find("mma.sync"), std::string::npos);
    std::vector<Tensor> inputs = drawn(k.op(), sizes);
    auto want = interpret(k.op(), sizes, inputs);
    ASSERT_TRUE(want);
    for (uint64_t seed : {uint64_t(0), uint64_t(1), uint64_t(std::random_device()())}) {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      ASSERT_FALSE(got.problem) << "seed " << seed << ": " << *got.problem << '\n' << text;
      for (size_t r = 0; r < want->size(); ++r) {
        bool rounds = bool(kernel::storageIn(k.op().getLayoutsAttr()[inputs.size() + r]));
        Tensor before = rounds ? beforeRounding(got.results[r], (*want)[r]) : got.results[r];
        ASSERT_LE(difference(before, (*want)[r]), 1e-5)
            << device.name.str() << ", result " << r << ", seed " << seed << ", of\n"
            << text;
      }
    }
  }
}

/// result[m, n] = sum over k of a[m, k] * b[k, n]; where a transposed side is said, its other
/// dimension is contiguous.
std::string plain(const Sizes &known, bool leftTurned, bool rightTurned, bool narrow) {
  std::string text;
  for (const char *dim : {"m", "n", "k"})
    text += known.contains(dim) ? fmt::format("model.dim @{} = <{}>\n", dim, known.at(dim))
                                : fmt::format("model.dim @{}\n", dim);
  return text + fmt::format(R"(
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{ layouts = [{}, {}, {}],
        schedule = {{sm_80 = {}, sm_90a = {}}} }} {{
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                            layout(leftTurned ? "m: \"1\", k: \"m\"" : "m: \"k\", k: \"1\"", true),
                            layout(rightTurned ? "k: \"1\", n: \"k\"" : "k: \"n\", n: \"1\"", true),
                            layout("m: \"n\", n: \"1\"", narrow), small, small);
}

TEST(GpuProducts, SizesAroundTiles) {
  for (bool left : {false, true})
    for (bool right : {false, true}) {
      std::string text = plain({}, left, right, left);
      for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(31, 33, 15), std::tuple(33, 31, 17),
                             std::tuple(32, 64, 48), std::tuple(65, 7, 2), std::tuple(5, 70, 129)})
        check(text, {{"m", m}, {"n", n}, {"k", k}});
    }
}

/// What is copied at once follows from known sizes and from where buffers begin.
TEST(GpuProducts, PiecesOfEverySize) {
  for (bool left : {false, true})
    for (bool right : {false, true})
      for (int64_t by : {2, 4, 8})
        for (int64_t alignment : {2, 4, 8, 16}) {
          Sizes sizes = {{"m", 32 + by}, {"n", 64 - by}, {"k", 16 + by}};
          check(plain(sizes, left, right, true), sizes, alignment);
        }
}

/// Two segments, the second of two products that are added up, with what is added to each; batches,
/// columns of two dimensions that lie apart.
TEST(GpuProducts, BatchesSegmentsAndTerms) {
  std::string text =
      fmt::format(R"(
model.dim @h = <3>
model.dim @m
model.dim @k = <24>
model.dim @n = <40>
model.dim @p = <2>
model.dim @q = <8>
func.func @f(%x: !model.tensor<f32, m, h, k>, %y: !model.tensor<f32, h, m, k>, %u: !model.tensor<f32, h, k, n>,
             %v: !model.tensor<f32, p, h, k, q>, %w: !model.tensor<f32, h, k, p, q>, %d: !model.tensor<f32, n>) {{
  %r, %s = kernel.fused contraction "both" (%a = %x : !model.tensor<f32, m, h, k>, %e = %y : !model.tensor<f32, h, m, k>,
      %b = %u : !model.tensor<f32, h, k, n>, %c = %v : !model.tensor<f32, p, h, k, q>, %g = %w : !model.tensor<f32, h, k, p, q>,
      %i = %d : !model.tensor<f32, n>)
      -> (!model.tensor<f32, h, m, n>, !model.tensor<f32, h, m, p, q>) attributes {{ layouts = [
        {}, {}, {}, {}, {}, {}, {}, {}], schedule = {{sm_80 = {}, sm_90a = {}}} }} {{
    %0 = model.contract ["k"] %a, %b : !model.tensor<f32, m, h, k>, !model.tensor<f32, h, k, n>
    %1 = model.arrange %0 : !model.tensor<f32, m, h, n> -> !model.tensor<f32, h, m, n>

    %3 = model.add %1, %i : !model.tensor<f32, h, m, n>, !model.tensor<f32, n>
    %4 = model.contract ["k"] %a, %c : !model.tensor<f32, m, h, k>, !model.tensor<f32, p, h, k, q>
    %5 = model.arrange %4 : !model.tensor<f32, m, h, p, q> -> !model.tensor<f32, h, m, p, q>
    %6 = model.contract ["k"] %e, %g : !model.tensor<f32, h, m, k>, !model.tensor<f32, h, k, p, q>
    %7 = model.add %5, %6 : !model.tensor<f32, h, m, p, q>, !model.tensor<f32, h, m, p, q>
    kernel.yield %3, %7 : !model.tensor<f32, h, m, n>, !model.tensor<f32, h, m, p, q>
  }}
  return
}})",
                  layout("m: \"72\", h: \"24\", k: \"1\"", true),
                  layout("h: \"m * 24\", m: \"24\", k: \"1\"", true),
                  layout("h: \"960\", k: \"40\", n: \"1\"", true),
                  layout("p: \"576\", h: \"192\", k: \"8\", q: \"1\"", true),
                  layout("h: \"384\", k: \"16\", p: \"8\", q: \"1\"", true),
                  layout("n: \"1\"", false), layout("h: \"m * 40\", m: \"40\", n: \"1\"", false),
                  layout("h: \"m * 16\", m: \"16\", p: \"8\", q: \"1\"", true), small, small);
  for (int64_t m : {1, 31, 33})
    for (int64_t alignment : {2, 16})
      check(text, {{"h", 3}, {"m", m}, {"k", 24}, {"n", 40}, {"p", 2}, {"q", 8}}, alignment);
}

const Mutant mutants[] = {
    {"a stage is multiplied that others still bring",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 0)); },
     "nothing puts them in order"},
    {"sums are stored where others still multiply",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 1)); },
     "nothing puts them in order"},
    {"sums are read that may not be there",
     [](llvm::Module &module) { erase(callOf(module, "barrier.cta.sync", 2)); },
     "nothing puts them in order"},
    {"nothing waits for copies",
     [](llvm::Module &module) { erase(callOf(module, "cp.async.wait.group")); }, "still writes"},
    {"copies beyond the end are whole",
     [](llvm::Module &module) {
       for (llvm::CallInst *copy : callsOf(module, "cp.async.cg.shared.global"))
         copy->setArgOperand(2, llvm::ConstantInt::get(copy->getArgOperand(2)->getType(), 16));
     },
     "are wrong|is not within|bytes into"},
    {"the left side is transposed",
     [](llvm::Module &module) {
       becomes(callOf(module, "ldmatrix"), "ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");
     },
     "are wrong"},
};

/// Faults planted in what the compiler makes of a kernel.
TEST(GpuProducts, FaultsAreFound) {
  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  Sizes sizes = {{"m", 37}, {"n", 40}, {"k", 72}};
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      plain({{"n", 40}, {"k", 72}}, false, false, false), &context);
  ASSERT_TRUE(module);
  auto run = [&](const EmulatedKernel::Change &change) {
    EmulatedKernel k(*module, cuda::devices().front(), /*accesses=*/true, /*alignment=*/16, change);
    EXPECT_FALSE(k.problem()) << *k.problem();
    std::vector<Tensor> inputs = drawn(k.op(), sizes);
    auto want = interpret(k.op(), sizes, inputs);
    return firstSaid([&](uint64_t seed) -> std::string {
      auto got = k.run(sizes, inputs, {.seed = seed, .races = true});
      if (got.problem)
        return *got.problem;
      return difference(got.results[0], (*want)[0]) <= 1e-5 ? "" : "results are wrong";
    });
  };
  EXPECT_EQ(run(nullptr), "");
  for (const Mutant &mutant : mutants)
    mutant.expectIn(run(mutant.plant));
}

} // namespace
