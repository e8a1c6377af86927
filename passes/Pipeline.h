// The stages of the compiler: their names, their promises and their passes, as one table.
#ifndef WEFT_PASSES_PIPELINE_H
#define WEFT_PASSES_PIPELINE_H

#include "passes/Promises.h"

#include "mlir/Pass/PassManager.h"

namespace weft {

/// A stage: `passes` turn what the stage before promises into what this one promises.
struct Stage {
  llvm::StringRef name;
  llvm::StringRef holds; ///< in one sentence
  llvm::ArrayRef<Promise> promises;
  /// In order, each as on the command line: `weft-form-softmax` or
  /// `weft-differentiate{inputs=true}`.
  llvm::ArrayRef<llvm::StringRef> passes;
};

/// In the order in which they run.
llvm::ArrayRef<Stage> stages();
/// Null if there is none of that name.
const Stage *stageNamed(llvm::StringRef name);

/// Whether a stage has a pass of this name.
bool isPass(llvm::StringRef name);

/// Of the stages `model` and `fused`, those by which code becomes better and programs mean the
/// same: a run may leave out any of them.
llvm::SmallVector<llvm::StringRef> optimizations();
/// Those that recognise idioms, in order: what comes before `weft-sink-renames` in the stage
/// `model`.
llvm::SmallVector<llvm::StringRef> recognizers();

/// Registers every pass a stage names, and the stages themselves as pipelines
/// (`--weft-stage-model`).
void registerPipeline();

/// What a run of a stage may leave out or add.
struct StageOptions {
  llvm::ArrayRef<llvm::StringRef> without = {}; ///< flags of passes
  /// Functions of which gradients are wanted beside those that trainings need, by float arguments
  /// too.
  llvm::ArrayRef<std::string> gradientsOf = {};
  /// Passes that the target does without (codegen/Target.h): later stages do not need them then.
  llvm::ArrayRef<llvm::StringRef> notForTarget = {};
  /// The dialect of its schedules.
  llvm::StringRef machines = "cpu";
  /// How many cores schedules should have work for; 0: those of a typical machine.
  int64_t cores = 0;
  /// A file of tunings, and the machine whose are used; none, if it is empty.
  std::string tuned = {}, tunedOn = {};
  /// What is kept for gradients rather than computed again, in bytes an operation; below 0: all
  /// that products and reductions make.
  double price = -1;
  /// Whether logits are computed in chunks.
  bool chunks = false;
};

/// Appends the passes of stage `name` and the check of its promises; fails, saying why, if there is
/// no such stage.
/// `registerPipeline` must have run.
llvm::LogicalResult addStage(mlir::OpPassManager &manager, llvm::StringRef name,
                             StageOptions options = {});

} // namespace weft

#endif // WEFT_PASSES_PIPELINE_H
