// Modules as the tests of the model stage need them: read, put through passes, run.
#ifndef WEFT_TESTS_PASSES_MODEL_COMPILED_H
#define WEFT_TESTS_PASSES_MODEL_COMPILED_H

#include "ir/model/Model.h"
#include "ir/reference/Interpreter.h"
#include "passes/Pipeline.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <random>

namespace weft {

/// A context with the dialects that tests need, and every pass registered.
inline mlir::MLIRContext &testContext() {
  static mlir::MLIRContext &context = []() -> mlir::MLIRContext & {
    static mlir::MLIRContext made;
    made.loadDialect<model::ModelDialect, mlir::func::FuncDialect>();
    registerPipeline();
    return made;
  }();
  return context;
}

/// The module in `file`, which lies below tests/passes, or is one of those that the build makes of
/// examples (`inputs/`), after `passes` (as on weft-opt's command line, with
/// commas).
inline mlir::OwningOpRef<mlir::ModuleOp> compiled(const std::string &file,
                                                  const std::string &passes) {
  bool isMade = file.starts_with("inputs/");
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      isMade ? WEFT_INPUTS + file.substr(strlen("inputs")) : WEFT_TESTS "/passes/" + file,
      &testContext());
  if (!module)
    return module;
  mlir::PassManager manager(&testContext());
  if (failed(mlir::parsePassPipeline(passes, manager)) || failed(manager.run(*module)))
    return {};
  return module;
}

/// Numbers that are the same in every run, whatever the library.
class Numbers {
public:
  explicit Numbers(uint64_t seed) : state(seed * 2654435769u + 1) {}
  double between(double low, double high) {
    return low + (high - low) * double(next() >> 11) * 0x1p-53;
  }
  int64_t below(int64_t end) { return int64_t(next() % uint64_t(end)); }

private:
  /// splitmix64 (Steele, Lea, Flood 2014).
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  uint64_t state;
};

} // namespace weft

#endif // WEFT_TESTS_PASSES_MODEL_COMPILED_H
