// Kernels of rows at random, at sizes around lanes and tasks, against the interpreter.
#include "RandomRows.h"

#include "EveryIsa.h"

#include "ir/cpu/Cpu.h"
#include "ir/kernel/Kernel.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Where the results of one run are not the interpreter's, or nothing.
std::string difference(Kernel &kernel, const RandomRows &rows, const Sizes &sizes, unsigned seed) {
  std::vector<Tensor> inputs = rows.inputs(sizes, seed);
  std::vector<Tensor> got = kernel.run(sizes, inputs), want = kernel.interpret(sizes, inputs);
  if (got.size() != want.size())
    return "another number of results";
  for (size_t i = 0; i < want.size(); ++i) {
    // What cancels out is 0 in one and a rounding in the other.
    for (Tensor *each : {&got[i], &want[i]})
      for (double &x : each->data)
        x = std::abs(x) < 1e-4 ? 0 : x;
    if (auto same = close(got[i], want[i], 5e-4); !same)
      return "result " + std::to_string(i) + ": " + same.message();
  }
  return "";
}

void tryOut(uint64_t seed, cpu::Isa isa) {
  mlir::MLIRContext context;
  context.loadDialect<model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                      mlir::func::FuncDialect>();
  RandomRows rows(context, seed);
  Kernel kernel(isa, rows.text());
  if (!kernel.ok()) {
    ADD_FAILURE() << "does not build: WEFT_SEED=" << seed << "\n" << rows.text();
    return;
  }
  kernel.setRandom({seed, 3});
  for (const Sizes &sizes : rows.sizes()) {
    // Two numbers that rounding brings together are apart again with other inputs; a fault stays.
    std::string wrong;
    int times = 0;
    for (unsigned inputs = 0; inputs < 3 && times == int(inputs); ++inputs)
      if (std::string here = difference(kernel, rows, sizes, inputs); !here.empty()) {
        wrong = here;
        ++times;
      }
    if (times < 3)
      continue;
    std::string at;
    for (const auto &[dim, size] : sizes)
      at += " " + dim + "=" + std::to_string(size);
    ADD_FAILURE() << "WEFT_SEED=" << seed << " at" << at << ": " << wrong << "\n" << rows.text();
    return;
  }
}

class RandomRowsKernels : public testing::TestWithParam<cpu::Isa> {};

TEST_P(RandomRowsKernels, AreWhatTheInterpreterGives) {
  Seeds seeds(40);
  for (uint64_t i = 0; i < seeds.count && !HasFailure(); ++i)
    tryOut(seeds.first + i, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Isa, RandomRowsKernels, everyIsa(), isaName);

} // namespace
