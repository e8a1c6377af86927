// Random plans: what shares memory computes what has its own, byte for byte, on one thread and on
// several, in memory that is poisoned; and both compute what the interpreter does.
#include "Compiled.h"
#include "RandomPlan.h"

#include "ir/cpu/Cpu.h"
#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"
#include "tools/reduce/expected/Expected.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <random>

using namespace weft;
using namespace weft::test;

namespace {

/// WEFT_SEED, or another one every time.
uint64_t firstSeed() {
  if (const char *given = getenv("WEFT_SEED"))
    return std::stoull(given);
  return std::random_device()() % 1000000;
}

class Plans : public testing::Test {
protected:
  Plans() {
    static const bool registered = (registerPipeline(), true);
    (void)registered;
    setenv("WEFT_POISON", "1", 1);
    context.loadDialect<weft::model::ModelDialect, kernel::KernelDialect, cpu::CpuDialect,
                        plan::PlanDialect, mlir::func::FuncDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parsed(const RandomPlan &plan) {
    return mlir::parseSourceString<mlir::ModuleOp>(plan.text(), &context);
  }

  /// What the interpreter gives, and how far f32 may be from it: a sine of what was squared again
  /// and again is off by far more than its own rounding.
  static reduce::Expected expected(const RandomPlan &plan, mlir::func::FuncOp function,
                                   uint64_t seed) {
    reduce::Run run{function, {}, plan.parameters(), plan.sizes(), {}};
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      run.inputs.push_back(plan.inputs()[reference::inputName(function, i)]);
    return reduce::expect(run, 8, seed, [] { return std::string("see above"); });
  }

  /// A step of every entry, with what it makes of the parameters.
  static std::vector<reference::NamedArrays>
  results(const RandomPlan &plan, int entries, mlir::ModuleOp module, CompiledOptions options) {
    mlir::PassManager manager(module.getContext());
    if (failed(addStage(manager, "model")) || failed(manager.run(module)))
      throw std::runtime_error("stage model fails");
    Compiled compiled(module, options);
    std::vector<reference::NamedArrays> all;
    for (int i = 0; i < entries; ++i) {
      compiled.setParameters(plan.parameters());
      all.push_back(compiled.run("run" + std::to_string(i), plan.inputs(), plan.sizes()));
      for (auto &state : compiled.parameters())
        all.back()[state.getKey()] = state.getValue();
    }
    return all;
  }

  void check(uint64_t seed) {
    constexpr int entries = 5;
    RandomPlan plan(seed, entries);
    auto module = parsed(plan), alone = parsed(plan), read = parsed(plan);
    ASSERT_TRUE(module) << plan.text();
    std::vector<reference::NamedArrays> own, shared;
    try {
      own = results(plan, entries, *alone, {.share = false, .threads = 1});
      shared = results(plan, entries, *module, {.share = true, .threads = seed % 2 ? 3 : 1});
    } catch (const std::exception &problem) {
      FAIL() << problem.what() << "\n" << plan.text();
    }
    for (int i = 0; i < entries; ++i) {
      std::string entry = "run" + std::to_string(i);
      EXPECT_EQ(own[i].size(), shared[i].size()) << entry;
      for (auto &result : own[i])
        EXPECT_TRUE(result.getValue() == shared[i][result.getKey()])
            << entry << ", " << result.getKey().str() << " with shared memory";
      reduce::Expected right = expected(plan, read->lookupSymbol<mlir::func::FuncOp>(entry), seed);
      ASSERT_FALSE(right.refusal.has_value()) << entry << "\n" << plan.text();
      for (auto *tensors : {&right.outputs, &right.parameters})
        for (const reduce::ExpectedTensor &tensor : *tensors) {
          ASSERT_TRUE(own[i].contains(tensor.name)) << entry << ", " << tensor.name;
          auto wrong = tensor.differs(own[i][tensor.name], 2);
          EXPECT_FALSE(wrong.has_value()) << entry << ": " << *wrong;
        }
    }
    if (HasFailure())
      FAIL() << "seed " << seed << "\n" << plan.text();
  }

  mlir::MLIRContext context;
};

TEST_F(Plans, SharingMemoryChangesNothing) {
  uint64_t seed = firstSeed();
  const char *count = getenv("WEFT_COUNT");
  printf("WEFT_SEED=%llu\n", static_cast<unsigned long long>(seed));
  for (uint64_t i = 0, end = count ? std::stoull(count) : 12; i < end && !HasFailure(); ++i)
    check(seed + i);
}

} // namespace
