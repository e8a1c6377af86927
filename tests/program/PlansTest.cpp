// Random plans: what shares memory computes what has its own, byte for byte, on one thread and on
// several, in memory that is poisoned; and both compute what the interpreter does.
#include "Compiled.h"
#include "RandomPlan.h"

#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
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
    context.loadDialect<weft::model::ModelDialect, kernel::KernelDialect, plan::PlanDialect,
                        mlir::func::FuncDialect>();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parsed(const RandomPlan &plan) {
    return mlir::parseSourceString<mlir::ModuleOp>(plan.text(), &context);
  }

  static double farthest(const reference::Array &a, const reference::Array &b) {
    double far = a.shape == b.shape ? 0 : INFINITY;
    for (size_t i = 0; i < a.floats().size() && far < INFINITY; ++i)
      far = std::max(far, std::abs(a.floats()[i] - b.floats()[i]) /
                              std::max(1.0, std::abs(b.floats()[i])));
    return far;
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
      reference::NamedRun run;
      run.parameters = plan.parameters();
      run.sizes = plan.sizes();
      auto function = read->lookupSymbol<mlir::func::FuncOp>(entry);
      for (unsigned k = 0; k < function.getNumArguments(); ++k)
        run.inputs[reference::inputName(function, k)] =
            plan.inputs()[reference::inputName(function, k)];
      auto right = reference::runInterpreted(*read, entry, run);
      ASSERT_TRUE(succeeded(right)) << plan.text();
      for (auto &state : right->parameters)
        right->outputs[state.getKey()] = state.getValue();
      for (auto &result : right->outputs) {
        std::string what = entry + ", " + result.getKey().str();
        ASSERT_TRUE(own[i].contains(result.getKey())) << what;
        const reference::Array &alone = own[i][result.getKey()];
        EXPECT_TRUE(alone == shared[i][result.getKey()]) << what << " with shared memory";
        EXPECT_LE(farthest(alone, result.getValue()), 2e-3) << what << " is not the interpreter's";
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
