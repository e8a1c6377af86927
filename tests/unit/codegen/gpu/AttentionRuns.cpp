// Attention and its gradient as kernels of a GPU, run on the emulator.
#include "tests/unit/codegen/gpu/AttentionRuns.h"

#include "ir/cuda/GroupGradientSchedules.h"
#include "tests/unit/codegen/KernelHarness.h"

#include "mlir/Parser/Parser.h"

#include <array>

namespace weft::test {

AttentionCase headsOf(const char *depth, const char *values) {
  return {.dims = {"b", "s", "t", "h=2", depth, values},
          .q = {"b", "s", "h", "d"},
          .k = {"b", "t", "h", "d"},
          .v = {"b", "t", "h", "w"}};
}

AttentionRuns::AttentionRuns(const AttentionCase &attention, bool gradient, const char *name)
    : attention(attention), gradient(gradient),
      device(llvm::find_if(cuda::devices(),
                           [&](const cuda::Device &each) { return each.name == name; })) {
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cuda::CudaDialect,
                      mlir::func::FuncDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(
      gradient ? attention.gradientKernel() : attention.forwardKernel(), &context);
  EXPECT_TRUE(module);
}

bool AttentionRuns::multiplyByGroups(int64_t stages, int64_t columns) {
  auto table = kernel::DimTable::of(*module);
  bool legal = false;
  module->walk([&](kernel::FusedOp op) {
    kernel::ScheduleAttr schedule;
    if (gradient) {
      auto group = cuda::WgmmaAttentionGradAttr::get(&context, columns, stages);
      legal = cuda::groupGradientProblem({op, table}, group, *device).empty();
      schedule = group;
    } else {
      auto group = cuda::WgmmaAttentionAttr::get(&context, 64, stages);
      legal = cuda::groupAttentionProblem({op, table}, group, *device).empty();
      schedule = group;
    }
    if (legal)
      op.setScheduleAttr(mlir::DictionaryAttr::get(
          &context, mlir::NamedAttribute(mlir::StringAttr::get(&context, device->name), schedule)));
  });
  return legal;
}

EmulatedKernel AttentionRuns::compiled(const EmulatedKernel::Change &change,
                                       int64_t alignment) const {
  return {*module, *device, /*accesses=*/true, alignment, change};
}

void AttentionRuns::draw(Sizes given, const std::function<double(const Index &)> &mask,
                         double factor, bool whole) {
  sizes = attention.sizes(std::move(given));
  inputs = attention.sides(sizes, drawn);
  for (size_t side = 0; whole && side < 2; ++side)
    for (double &each : inputs[side].data)
      each = std::round(3 * each);
  for (double &each : inputs[0].data)
    each = static_cast<float>(factor * each);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (attention.isNarrow(std::array{"q", "k", "v"}[i]))
      AttentionCase::round(inputs[i]);
  if (!attention.operand.empty())
    inputs.push_back(Tensor::of(attention.operand, sizes, mask));
  if (attention.biasOperand)
    inputs.push_back(Tensor::normal(*attention.biasOperand, sizes, drawn + 4));
  Tensor by = Tensor::normal(attention.output(), sizes, drawn + 3);
  if (attention.isNarrow("g"))
    AttentionCase::round(by);
  std::vector<Tensor> all = attention.reference(sizes, inputs, by);
  ASSERT_GE(all.size(), 5u);
  if (gradient)
    inputs.insert(inputs.end(), {all[0], all[1], by});
  want = gradient ? std::vector<Tensor>(all.begin() + 2, all.end())
                  : std::vector<Tensor>(all.begin(), all.begin() + 2);
  if (attention.narrowWeights)
    bounds = attention.bounds(gradient, sizes, inputs);
}

std::vector<std::vector<double>> AttentionRuns::results(EmulatedKernel &kernel,
                                                        uint64_t order) const {
  auto got = kernel.run(sizes, inputs, {.seed = order});
  EXPECT_FALSE(got.problem) << *got.problem;
  std::vector<std::vector<double>> all;
  for (const Tensor &tensor : got.results)
    all.push_back(tensor.data);
  return all;
}

std::string AttentionRuns::problemOf(EmulatedKernel &kernel, uint64_t order, double error,
                                     std::optional<size_t> only) const {
  auto got = kernel.run(sizes, inputs, {.seed = order, .races = true});
  if (got.problem)
    return *got.problem;
  std::vector<Tensor> found = got.results, wanted = want;
  for (size_t i = 0; i < bounds.size(); ++i)
    found[i] = within(found[i], wanted[i], bounds[i]);
  if (only) {
    found = {found[*only]};
    wanted = {wanted[*only]};
  } else if (gradient) {
    found = {joined(found)};
    wanted = {joined(wanted)};
  }
  std::string text;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (testing::AssertionResult right = close(found[i], wanted[i], gradient ? 10 * error : error);
        !right)
      text += "result " + std::to_string(i) + " is wrong: " + right.message() + "\n";
  return text;
}

} // namespace weft::test
