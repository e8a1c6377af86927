// Compiles one `kernel.fused` from its text and runs it on tensors, with everything around it
// poisoned.
#ifndef WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H
#define WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H

#include "tools/kernel/CompiledKernel.h"
#include "tools/kernel/GuardedMemory.h"
#include "tools/kernel/Interpreted.h"

#include <gtest/gtest.h>

namespace weft::test {

using namespace weft::trial;

/// |got - want| <= relative * (|want| + scale of want) everywhere; NaN matches only NaN.
testing::AssertionResult close(const Tensor &got, const Tensor &want, double relative);

/// One kernel, compiled for one instruction set.
class Kernel {
public:
  /// `text` is a module: `model.dim`s, and a function with one `kernel.fused` with layouts.
  Kernel(cpu::Isa isa, const std::string &text);
  ~Kernel();
  /// The text of a kernel of a larger module: a copy, with the dimensions of that module.
  static std::string alone(kernel::FusedOp op);
  bool ok() const { return compiled && !compiled->problem(); }

  /// Runs every task: all at once, one by one from the last to the first, and on several threads;
  /// and, where the kernel says that rows of several runs may be one launch, as a run for each;
  /// then again with each result in the buffer of each operand that `mayWriteInPlace` allows.
  /// Checks that all give the same bytes and that nothing outside the tensors was written, and
  /// returns the results. `inPlace` maps a result to the operand whose buffer it gets whether or
  /// not `mayWriteInPlace` allows it. Sizes of static dimensions come from the text. Buffers are
  /// only 4-byte aligned; what is not an operand is poison before.
  std::vector<Tensor> run(const Sizes &sizes, const std::vector<Tensor> &inputs,
                          const std::map<unsigned, unsigned> &inPlace = {});
  /// How often a result was written in place of an operand because `mayWriteInPlace` allows it.
  int inPlaceRuns() const;
  /// How often rows were computed by themselves because they may be those of several runs.
  int rowRuns() const { return runsOfRows; }
  /// How launches of several runs can be one; null where they cannot.
  const WeftRows *rows() const { return compiled->rows(); }
  /// The key of random numbers of later runs, and of the interpreter (whose index starts at 0).
  void setRandom(RandomKey key) { random = key; }
  /// What the interpreter makes of the same ops, in double precision.
  std::vector<Tensor> interpret(const Sizes &sizes, const std::vector<Tensor> &inputs);
  int64_t tasks(const Sizes &sizes) const { return compiled->tasks(sizes); }
  int64_t scratchBytes(const Sizes &sizes) { return compiled->scratchBytes(sizes); }
  int64_t sharedBytes(const Sizes &sizes) { return compiled->sharedBytes(sizes); }
  /// The compiled tasks and the sizes as they take them, for timing.
  using Launch = CompiledKernel::Launch;
  std::vector<Launch> launches(const Sizes &sizes) const {
    return compiled->launches(numbered(sizes));
  }
  std::vector<int64_t> numbered(const Sizes &sizes) const { return compiled->numbered(sizes); }
  /// Runs all tasks on plain buffers, operands then results; for formats that are not layouts, and
  /// for timing.
  void runRaw(const Sizes &sizes, const std::vector<void *> &buffers);

  kernel::FusedOp op() { return compiled->op(); }
  const std::string &llvm() const { return compiled->llvm(); }

private:
  struct Text;
  enum class Order { forwards, backwards, threads, runs };

  std::vector<GuardedTensor> runInEveryOrder(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                             const std::map<unsigned, unsigned> &taken);
  std::vector<GuardedTensor> runOnce(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                     const std::map<unsigned, unsigned> &taken, Order order);
  void runTasks(const Sizes &sizes, const std::vector<void *> &buffers, Order order);
  void runLaunch(Launch launch, const Sizes &sizes, const std::vector<void *> &buffers,
                 Order order);
  bool mayBeRuns(const Sizes &sizes) const;
  void runPlaces(Launch launch, std::vector<int64_t> numbers, const std::vector<void *> &buffers,
                 GuardedScratch &scratch);

  std::unique_ptr<Text> text;
  std::optional<CompiledKernel> compiled;
  RandomKey random;
  int runsInPlace = 0, runsOfRows = 0;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H
