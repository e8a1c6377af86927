// Attention and its gradient as kernels of a GPU, run on the emulator from numbers that are drawn.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_ATTENTIONRUNS_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_ATTENTIONRUNS_H

#include "tests/unit/codegen/AttentionCase.h"
#include "tools/kernel/EmulatedKernel.h"

#include <functional>
#include <random>

namespace weft::test {

/// q, k, v and the gradient of the output over the dimensions that a test has most often.
AttentionCase headsOf(const char *depth, const char *values);

/// One kernel, the attention or its gradient, for a device.
class AttentionRuns {
public:
  AttentionRuns(const AttentionCase &attention, bool gradient, const char *device);

  /// Compiles it, perhaps with a fault in it.
  EmulatedKernel compiled(const EmulatedKernel::Change &change = nullptr,
                          int64_t alignment = 0) const;
  /// Gives it a schedule of products of four warps, where one is legal; whether it is.
  bool multiplyByGroups(int64_t stages = 2, int64_t columns = 64);
  std::string drawnFrom() const { return "numbers and order from " + std::to_string(drawn); }
  uint64_t seed() const { return drawn; }

  /// Draws operands, of which queries are larger than usual by `factor`, and which are as they lie
  /// in memory; finds the results by the interpreter. Queries before that, and keys, may be `whole`
  /// numbers, from about -10 to 10.
  void draw(Sizes sizes, const std::function<double(const Index &)> &mask = nullptr,
            double factor = 1, bool whole = false);
  /// What is wrong with a run in this order of warps; "" if nothing is, up to `error`. Of result
  /// `only` if there is one, else of all.
  std::string problemOf(EmulatedKernel &kernel, uint64_t order, double error = 1e-5,
                        std::optional<size_t> only = std::nullopt) const;
  /// What a run gives in this order, without a judgement.
  std::vector<std::vector<double>> results(EmulatedKernel &kernel, uint64_t order) const;

private:
  AttentionCase attention;
  bool gradient;
  const cuda::Device *device;
  mutable mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  uint64_t drawn = std::random_device()();
  Sizes sizes;
  std::vector<Tensor> inputs, want, bounds; ///< bounds: where weights are narrow
};

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_ATTENTIONRUNS_H
