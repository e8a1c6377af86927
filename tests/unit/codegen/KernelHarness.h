// Compiles one `kernel.fused` from its text and runs it on tensors, with everything around it
// poisoned.
#ifndef WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H
#define WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H

#include "GuardedMemory.h"
#include "Jit.h"

#include "codegen/cpu/Kernels.h"

namespace weft::test {

/// What `model.random` draws from.
struct RandomKey {
  uint64_t seed = 0, step = 0, first = 0;
};

/// One kernel, compiled for one instruction set.
class Kernel {
public:
  /// `text` is a module: `model.dim`s, and a function with one `kernel.fused` with layouts.
  Kernel(cpu::Isa isa, const std::string &text);
  ~Kernel();
  /// The text of a kernel of a larger module: a copy, with the dimensions of that module.
  static std::string alone(kernel::FusedOp op);
  bool ok() const { return run_ != nullptr; }

  /// Runs every task: all at once, one by one from the last to the first, and on several threads;
  /// then again with each result over each operand whose place it may take. Checks that all give
  /// the same bytes and that nothing outside the tensors was written, and returns the results.
  /// `inPlace` maps a result to the operand whose buffer it takes where nobody asked `mayLieOver`.
  /// Sizes of static dimensions come from the text. Buffers are only 4-byte aligned; what is not an
  /// operand is poison before.
  std::vector<Tensor> run(const Sizes &sizes, const std::vector<Tensor> &inputs,
                          const std::map<unsigned, unsigned> &inPlace = {});
  /// How often a result was over an operand because `mayLieOver` allows it.
  int inPlaceRuns() const;
  /// What later runs draw from, and the interpreter (which starts at index 0).
  void setRandom(RandomKey key) { random = key; }
  /// What the interpreter makes of the same ops, in double precision.
  std::vector<Tensor> interpret(const Sizes &sizes, const std::vector<Tensor> &inputs);
  int64_t tasks(const Sizes &sizes);
  int64_t scratchBytes(const Sizes &sizes);
  /// The compiled tasks and the sizes as they take them, for timing.
  using Run = void(const int64_t *, void *const *, int64_t, int64_t, char *);
  Run *code() const { return run_; }
  std::vector<int64_t> numbered(const Sizes &sizes) const;
  /// Runs all tasks on plain buffers, operands then results; for formats that are not layouts, and
  /// for timing.
  void runRaw(const Sizes &sizes, const std::vector<void *> &buffers);

  kernel::FusedOp op();
  const std::string &llvm() const { return jit.text(); }

private:
  using Count = int64_t(const int64_t *);
  struct Text;
  enum class Order { forwards, backwards, threads };

  std::vector<GuardedTensor> runInEveryOrder(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                             const std::map<unsigned, unsigned> &taken);
  std::vector<GuardedTensor> runOnce(const Sizes &sizes, const std::vector<Tensor> &inputs,
                                     const std::map<unsigned, unsigned> &taken, Order order);
  void runTasks(const Sizes &sizes, const std::vector<void *> &buffers, Order order);

  std::unique_ptr<Text> text;
  Jit jit;
  kernel::DimTable table;
  RandomKey random;
  int runsInPlace = 0;
  Run *run_ = nullptr;
  Count *tasks_ = nullptr, *scratch_ = nullptr;
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_KERNELHARNESS_H
