// One program on its way through the stages, and what people are told when it stops.
#ifndef WEFT_TOOLS_WEFT_BASE_COMPILATION_H
#define WEFT_TOOLS_WEFT_BASE_COMPILATION_H

#include "codegen/Target.h"
#include "frontend/configure/Configure.h"
#include "frontend/syntax/parse/Parser.h"
#include "runtime/base/files/ReadFiles.h"
#include "tools/weft/base/Options.h"
#include "tools/weft/base/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <utility>

namespace weft {

struct RecomputeLevel;
struct StageOptions;

/// What every subcommand that reads a program takes: --config, --set, --json.
std::vector<OptionSpec> sourceOptions();
/// What those that lower it take besides: --without, --each-pass.
std::vector<OptionSpec> loweringOptions();

/// Notes the files of a program, but for the library, as read (runtime::ReadFiles).
inline void noteFiles(const SourceManager &sources) {
  for (FileId id = 0; id < sources.fileCount(); ++id)
    if (!sources.file(id).isLibrary())
      runtime::ReadFiles::note(sources.file(id).name());
}

/// Loads, checks, builds and lowers one file. Each step prints what is wrong and says whether to go
/// on.
class Compilation {
public:
  /// `several`: --target may name more than one, of which `target` is the first to begin with.
  explicit Compilation(const Arguments &arguments, bool several = false);
  ~Compilation();

  /// Reads the file, the files it uses, and the library; checks names, dimensions and sizes, and
  /// what a build would refuse: without settings, and under each config of the file. What only
  /// waits for a size is judged where that is set.
  bool check();
  /// Runs the `model` stage on what model() has built: all of a build that finds programs wrong.
  bool checkModel();
  /// Builds the module as the source says it (a `.mlir` file is read as it is). Fails too where an
  /// output is a file that is read, as far as that is known yet.
  bool model();
  /// Whether no output is a file that has been read; says which. To be asked again by who reads
  /// more than the program: what a folder of weights holds, and what lies beside them.
  bool overwritesNoInput();
  /// Runs the stages behind `after` (all, if it is empty) up to and including `last` ("model",
  /// "fused", "kernel", "plan").
  bool lower(llvm::StringRef last, llvm::StringRef after = "");

  /// What the tool exits with when one of these has failed: a broken promise of a stage is an
  /// internal error, a command line that asks for what cannot be is one of usage, anything else is
  /// wrong with the program.
  int exitCode() const { return promiseBroken ? exitInternal : misused ? exitUsage : exitUser; }

  /// Whether warnings are printed: not where the same program was compiled before.
  bool warns = true;
  /// Only this entry and what it derives, or one that is derived (`train.gradient`,
  /// `loss.gradient`), if it is named.
  std::string only;
  /// Whether `only` asks for a function (or the plan of one).
  bool wants(mlir::Operation *function) const;
  /// Drops the functions that `only` does not ask for, and kernels that only they launch.
  void keepWanted();
  /// Whether `X.gradient` is wanted too: of the only entry, else of every entry that gives a single
  /// number, and of those of --gradients-of.
  bool gradients = false;
  /// What it is lowered for from the stage `kernel` on: that of --target. Null if there is none of
  /// that name, which the constructor has said.
  const Target *target = nullptr;
  std::vector<const Target *> allTargets;
  /// Takes a copy of the module, or puts one in its place: what is lowered for several targets
  /// comes from one stage.
  mlir::OwningOpRef<mlir::ModuleOp> copyModule() { return module().clone(); }
  /// Gives the one before.
  mlir::OwningOpRef<mlir::ModuleOp> replaceModule(mlir::OwningOpRef<mlir::ModuleOp> other) {
    return std::exchange(owned, std::move(other));
  }
  /// Keeps what passes remark from here on (fusions refused, values kept).
  void keepRemarks();
  std::vector<Remark> remarks;
  /// What gradients may keep of the forward pass, as --recompute-budget or else the config says it
  /// (`saidBy`); empty: everything.
  std::string recomputeBudget(std::string &saidBy);
  /// Where it was, from the stage `model` on: what gradients take without it,
  /// and what they take now.
  RecomputeLevel &unlimited();
  RecomputeLevel &recomputed();

  mlir::ModuleOp module() { return owned.get(); }
  /// The function of this public name; null if there is none.
  mlir::func::FuncOp functionOf(llvm::StringRef entry);
  mlir::MLIRContext &context();
  const ast::Program &program() const { return tree; }
  /// What the program means; of a right one.
  const sema::Program &checkedProgram() const { return **checked; }
  /// What --config and --set asked for, once model() has read them.
  Settings settings;
  SourceManager sources;
  Diagnostics diagnostics;
  const Arguments &arguments;
  std::string file;
  /// What will be written, but for --each-pass.
  std::vector<runtime::NamedOutput> outputs;

  /// Prints what `diagnostics` hold, and forgets it; whether to go on.
  bool report();

private:
  bool readModule();
  void readAndCheck();
  void addOnce(const Diagnostic &diagnostic);
  bool buildSource();
  bool misuse(const std::string &text); ///< says what no command line can ask for; gives false
  bool checkBuild(const std::string &config);
  void noteSources() const;
  std::string sourceEntry();
  bool foundOnly();
  /// Nothing if --gradients-of names what is no entry, which it says.
  std::optional<std::vector<std::string>> differentiated();
  bool runStages(mlir::ModuleOp module, llvm::StringRef last, llvm::StringRef after,
                 const StageOptions &options, bool isTrial);
  bool chooseRecomputed(const StageOptions &options);
  bool addGradientsAskedFor(std::vector<std::string> &symbols);

  ast::Program tree;
  std::optional<CheckedProgram> checked; ///< of `tree`, unless that has errors of syntax
  bool promiseBroken = false, misused = false;
  bool collects = false;     ///< what passes say goes to `diagnostics`, each once
  std::string checkedConfig; ///< that is looked at
  struct Machinery;
  std::unique_ptr<Machinery> machinery;
  mlir::OwningOpRef<mlir::ModuleOp> owned;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_COMPILATION_H
