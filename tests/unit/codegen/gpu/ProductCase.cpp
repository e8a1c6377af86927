// Kernels of products as the compiler builds them.
#include "tests/unit/codegen/gpu/ProductCase.h"

#include "ir/cuda/Cuda.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace weft::test {

std::string layout(const std::string &strides, bool narrow) {
  return "#kernel.layout<" + strides + (narrow ? ", storage = bf16>" : ">");
}

std::unique_ptr<mlir::MLIRContext> contextOfKernels() {
  auto context = std::make_unique<mlir::MLIRContext>();
  context->loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                       mlir::func::FuncDialect>();
  return context;
}

std::vector<Tensor> drawn(kernel::FusedOp op, const Sizes &sizes) {
  std::vector<Tensor> inputs;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    std::vector<std::string> dims;
    for (model::DimAttr dim : model::typeOf(value).getDims())
      dims.push_back(dim.str());
    inputs.push_back(Tensor::normal(dims, sizes, unsigned(number + 1)));
    if (kernel::storageIn(op.getLayoutsAttr()[number]))
      for (double &each : inputs.back().data)
        each = std::round(each * 16) / 16;
  }
  return inputs;
}

void expectRight(const std::string &text, const Sizes &sizes, int64_t alignment,
                 const cuda::Device &device, const char *instruction) {
  auto context = contextOfKernels();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module) << text;
  EmulatedKernel k(*module, device, /*accesses=*/true, alignment);
  ASSERT_FALSE(k.problem()) << *k.problem() << '\n' << text;
  ASSERT_NE(k.ptx().find(instruction), std::string::npos);
  std::vector<Tensor> inputs = drawn(k.op(), sizes);
  auto want = trial::interpret(k.op(), sizes, inputs);
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

std::string plainProduct(const Sizes &known, bool leftTurned, bool rightTurned, bool narrow,
                         const std::string &schedules, bool tf32) {
  std::string text;
  for (const char *dim : {"m", "n", "k"})
    text += known.contains(dim) ? fmt::format("model.dim @{} = <{}>\n", dim, known.at(dim))
                                : fmt::format("model.dim @{}\n", dim);
  return text +
         fmt::format(R"(
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {{
  %r = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {{ layouts = [{}, {}, {}],
        schedule = {{{}}} }} {{
    %c = model.contract ["k"] %a, %b{} : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }}
  return
}})",
                     layout(leftTurned ? "m: \"1\", k: \"m\"" : "m: \"k\", k: \"1\"", !tf32),
                     layout(rightTurned ? "k: \"1\", n: \"k\"" : "k: \"n\", n: \"1\"", !tf32),
                     layout("m: \"n\", n: \"1\"", narrow), schedules, tf32 ? " {tf32}" : "");
}

std::string bothProducts(bool apart, const std::string &schedules) {
  return fmt::format(R"(
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
        {}, {}, {}, {}, {}, {}, {}, {}], schedule = {{{}}} }} {{
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
                     layout(apart ? "p: \"576\", h: \"192\", k: \"8\", q: \"1\""
                                  : "h: \"384\", k: \"16\", p: \"8\", q: \"1\"",
                            true),
                     layout("h: \"384\", k: \"16\", p: \"8\", q: \"1\"", true),
                     layout("n: \"1\"", false), layout("h: \"m * 40\", m: \"40\", n: \"1\"", false),
                     layout("h: \"m * 16\", m: \"16\", p: \"8\", q: \"1\"", true), schedules);
}

Sizes sizesOfBoth(int64_t m) {
  return {{"h", 3}, {"m", m}, {"k", 24}, {"n", 40}, {"p", 2}, {"q", 8}};
}

} // namespace weft::test
