// The stages of the compiler, one row each.
#include "passes/Pipeline.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace weft {
namespace {

constexpr llvm::StringRef neverLeftOut = "weft-state-obligations";
/// Passes without which later stages cannot run.
constexpr llvm::StringRef neededLater[] = {"weft-form-kernels", "weft-choose-layouts",
                                           "weft-pack-operands", "weft-materialize-copies"};
constexpr llvm::StringRef chunkLogits = "weft-chunk-logits";
constexpr llvm::StringRef modelPasses[] = {
    neverLeftOut, // of what is written, before anything is folded away
    "weft-fold-sizes", "canonicalize",
    "weft-cse", // equal values become one value, which is what the idioms are recognised by
    "weft-form-contractions", "weft-form-softmax", "weft-form-log-sum-exp", "weft-form-normalize",
    "weft-form-attention",        // after contractions and softmax, which it is made of
    "weft-answer-demands",        // of all these; what is derived is made of them
    "weft-sink-renames",          // on whole idioms, and before gradients, which then share it too
    "loop-invariant-code-motion", // tables of angles, masks; before the derivations, which then
                                  // need no loop for it
    "weft-differentiate",         // on idioms, each of which has one op as its gradient
    "weft-decode",                // on idioms, whose masks say what a position depends on
    neverLeftOut,                 // again: of what was derived
    "weft-fold-sizes",            // again: gradients ask for sizes too
    "canonicalize", "weft-cse",
    chunkLogits}; // of what was derived, and made equal: one loop has all of it
constexpr llvm::StringRef fusedPasses[] = {
    "weft-fuse-attention",   // first: it copies the masks it computes itself
    "weft-fuse-projections", // before epilogues, which belong to all of its contractions
    "weft-fuse-scatters",    // before epilogues, which would read all of what is scattered
    "weft-fuse-epilogues",
    "weft-split-sums", // before rows: a sum over everything has none, and its first half has
    "weft-fuse-rows",  // what the contractions left
    "weft-form-kernels"};
constexpr llvm::StringRef kernelPasses[] = {
    "weft-round-caches", // before copies, of what they write
    "weft-materialize-copies", "weft-pack-operands", "weft-choose-layouts",
    "weft-choose-storage",   // of what layouts place
    "weft-round-weights",    // of what no gradient is of
    "weft-narrow-operands",  // that is not narrow yet
    "weft-pad-rows",         // of what products read
    "weft-pack-within",      // panels as they are stored by now
    "weft-keep-packed",      // of those that are left
    "weft-choose-schedules", // by the bytes of all that
    "weft-join-launches"};   // as schedules allow
constexpr llvm::StringRef planPasses[] = {"weft-build-plan", "weft-pack-in-step"};

} // namespace

llvm::ArrayRef<Stage> stages() {
  static const Stage table[] = {
      {"model",
       "one function per entry, tensors with named dimensions; idioms (attention, softmax, norms) "
       "are single ops; gradients and decoding steps are derived",
       modelPromises(), modelPasses},
      {"fused", "the same ops, fused into kernels", fusedPromises(), fusedPasses},
      {"kernel",
       "kernels with the memory layouts of their operands and results, and with schedules",
       kernelPromises(), kernelPasses},
      {"plan", "launches in order, and buffers in slots of one arena whose size is a formula",
       planPromises(), planPasses},
  };
  return table;
}

const Stage *stageNamed(llvm::StringRef name) {
  const Stage *found =
      llvm::find_if(stages(), [&](const Stage &each) { return each.name == name; });
  return found == stages().end() ? nullptr : found;
}

bool isPass(llvm::StringRef name) {
  return llvm::any_of(stages(), [&](const Stage &stage) {
    return llvm::any_of(stage.passes, [&](llvm::StringRef pass) {
      return pass.take_until([](char c) { return c == '{'; }) == name;
    });
  });
}

llvm::SmallVector<llvm::StringRef> optimizations() {
  constexpr llvm::StringRef others[] = {
      neverLeftOut,  "weft-fold-sizes",   "canonicalize",       "weft-cse",
      "weft-decode", "weft-form-kernels", "weft-differentiate", "weft-answer-demands"};
  llvm::SmallVector<llvm::StringRef> result;
  for (llvm::ArrayRef<llvm::StringRef> passes :
       {llvm::ArrayRef(modelPasses), llvm::ArrayRef(fusedPasses)})
    llvm::append_range(result, llvm::make_filter_range(passes, [&](llvm::StringRef pass) {
                         return !llvm::is_contained(others, pass);
                       }));
  return result;
}

llvm::SmallVector<llvm::StringRef> recognizers() {
  llvm::SmallVector<llvm::StringRef> result;
  for (llvm::StringRef pass : modelPasses) {
    if (pass == "weft-sink-renames")
      break;
    if (pass != neverLeftOut)
      result.push_back(pass);
  }
  return result;
}

/// A pass of the table, with the options that this run gives it.
static std::string spelled(llvm::StringRef pass, const StageOptions &options) {
  if (pass == "weft-differentiate") {
    std::string given = llvm::formatv("price={0:e}", options.price).str();
    if (!options.gradientsOf.empty())
      given += " inputs=true entries=" + llvm::join(options.gradientsOf, ",");
    return (pass + "{" + given + "}").str();
  }
  if (pass == "weft-answer-demands")
    return (pass + "{without=" + llvm::join(options.without, ",") + "}").str();
  if (pass == "weft-narrow-operands" &&
      !llvm::is_contained(options.notForTarget, "weft-pack-operands"))
    return (pass + "{panels=true}").str();
  if (pass == "canonicalize") // regions here have one block: no control flow to simplify
    return (pass + "{region-simplify=disabled}").str();
  return pass.str();
}

/// A pass of an earlier stage that is left out although `stage` needs it.
static std::optional<llvm::StringRef> missingBefore(const Stage &stage,
                                                    llvm::ArrayRef<llvm::StringRef> without) {
  for (const Stage &before : stages()) {
    if (before.name == stage.name)
      return std::nullopt;
    for (llvm::StringRef pass : without)
      if (llvm::is_contained(neededLater, pass) && llvm::is_contained(before.passes, pass))
        return pass;
  }
  return std::nullopt;
}

llvm::LogicalResult addStage(OpPassManager &manager, llvm::StringRef name, StageOptions options) {
  const Stage *stage = stageNamed(name);
  if (!stage) {
    llvm::errs() << "no stage `" << name << "`\n";
    return failure();
  }
  if (llvm::is_contained(options.without, neverLeftOut)) {
    llvm::errs() << "error: `" << neverLeftOut << "` is never left out: without it, programs would "
                 << "read past what they are given\n";
    return failure();
  }
  // Storage and schedules are chosen for operands in layouts and panels: without these there are
  // none.
  llvm::SmallVector<llvm::StringRef> without(options.without);
  for (llvm::StringRef needed : {"weft-choose-layouts", "weft-pack-operands"})
    if (llvm::is_contained(options.without, needed))
      without.append({"weft-round-caches", "weft-choose-storage", "weft-round-weights",
                      "weft-narrow-operands", "weft-pad-rows", "weft-pack-within",
                      "weft-keep-packed", "weft-choose-schedules", "weft-join-launches"});
  if (llvm::is_contained(options.without, "weft-choose-storage")) // which layouts say it by
    without.push_back("weft-round-caches");
  if (llvm::is_contained(without, "weft-choose-schedules")) // which it cuts alike
    without.push_back("weft-pack-in-step");
  options.without = without;
  if (auto missing = missingBefore(*stage, options.without)) {
    llvm::errs() << "error: without `" << *missing << "` there is no stage `" << name
                 << "`: leave it out only to look at the stage before (`weft show --at`)\n";
    return failure();
  }
  auto isLeftOut = [&](llvm::StringRef pass) {
    return llvm::is_contained(options.without, pass) ||
           llvm::is_contained(options.notForTarget, pass) ||
           (pass == chunkLogits && !options.chunks);
  };
  for (llvm::StringRef pass : stage->passes) {
    if (isLeftOut(pass.take_until([](char c) { return c == '{'; })))
      continue;
    if (pass == "weft-choose-schedules") // paths of files are not to be spelled
      manager.addPass(createChooseSchedules(
          {options.machines.str(), options.cores, options.tuned, options.tunedOn}));
    else if (failed(parsePassPipeline(spelled(pass, options), manager, llvm::errs())))
      return failure();
  }
  VerifyStageOptions verify{name.str(), {}};
  for (llvm::ArrayRef<llvm::StringRef> passes : {options.without, options.notForTarget})
    for (llvm::StringRef pass : passes)
      verify.without.push_back(pass.str());
  manager.addPass(createVerifyStage(verify));
  return success();
}

void registerPipeline() {
  registerTransformsPasses();
  registerWeftPasses();
  for (const Stage &stage : stages())
    PassPipelineRegistration<>(
        "weft-stage-" + stage.name.str(), stage.holds, [&stage](OpPassManager &manager) {
          if (failed(addStage(manager, stage.name)))
            llvm::report_fatal_error("a stage names a pass that does not exist");
        });
}

} // namespace weft
