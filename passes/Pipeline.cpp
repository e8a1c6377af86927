// The stages of the compiler, one row each.
#include "passes/Pipeline.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace weft {
namespace {

constexpr llvm::StringRef modelPasses[] = {
    "weft-fold-sizes",
    "canonicalize",
    "cse", // equal values become one value, which is what the idioms are recognised by
    "weft-form-contractions",
    "weft-form-softmax",
    "weft-form-log-sum-exp",
    "weft-form-normalize",
    "weft-form-attention", // after contractions and softmax, which it is made of
    "weft-hoist",          // before the derivations, which then need no loop for it
    "weft-differentiate",  // on idioms, each of which has one op as its gradient
    "weft-decode",         // on idioms, whose masks say what a position depends on
    "canonicalize",
    "cse"};
constexpr llvm::StringRef fusedPasses[] = {
    "weft-fuse-attention",   // first: it copies the masks it computes itself
    "weft-fuse-projections", // before epilogues, which belong to all of its contractions
    "weft-fuse-epilogues",
    "weft-split-sums", // before rows, which then have some
    "weft-fuse-rows",  // what the contractions left
    "weft-form-kernels"};
constexpr llvm::StringRef kernelPasses[] = {"weft-materialize-copies", "weft-pack-operands",
                                            "weft-choose-layouts"};
constexpr llvm::StringRef planPasses[] = {"weft-build-plan"};

constexpr Stage table[] = {
    {"model",
     "one function per entry over named dimensions; idioms are whole; derived entries are there",
     modelPasses},
    {"fused", "every op belongs to exactly one kernel, or is a view", fusedPasses},
    {"kernel", "every operand and result of a kernel has a layout", kernelPasses},
    {"plan", "every buffer has a place and every launch a moment; peak memory is known",
     planPasses},
};

} // namespace

llvm::ArrayRef<Stage> stages() {
  return table;
}

/// A pass of the table, with the options that this run gives it.
static std::string spelled(llvm::StringRef pass, const StageOptions &options) {
  if (pass == "weft-differentiate" && !options.gradientsOf.empty())
    return (pass + "{inputs=true entries=" + llvm::join(options.gradientsOf, ",") + "}").str();
  return pass.str();
}

llvm::LogicalResult addStage(OpPassManager &manager, llvm::StringRef name, StageOptions options) {
  for (const Stage &stage : table) {
    if (stage.name != name)
      continue;
    for (llvm::StringRef pass : stage.passes)
      if (!llvm::is_contained(options.without, pass.take_until([](char c) { return c == '{'; })))
        if (failed(parsePassPipeline(spelled(pass, options), manager, llvm::errs())))
          return failure();
    return success();
  }
  llvm::errs() << "no stage `" << name << "`\n";
  return failure();
}

void registerPipeline() {
  registerTransformsPasses();
  registerWeftPasses();
  for (const Stage &stage : table)
    PassPipelineRegistration<>(
        "weft-stage-" + stage.name.str(), stage.promise, [&stage](OpPassManager &manager) {
          if (failed(addStage(manager, stage.name)))
            llvm::report_fatal_error("a stage names a pass that does not exist");
        });
}

} // namespace weft
