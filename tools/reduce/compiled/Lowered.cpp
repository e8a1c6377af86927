// The front end and the stages, as `weft build` runs them.
#include "tools/reduce/compiled/Lowered.h"

#include "frontend/check/Checker.h"
#include "frontend/format/Formatter.h"
#include "frontend/lower/ModelBuilder.h"
#include "ir/cpu/Cpu.h"
#include "ir/cuda/Cuda.h"
#include "ir/kernel/Kernel.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"

#include "ir/model/Entries.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace weft::reduce {

Said::Said(mlir::MLIRContext &context) {
  context.getDiagEngine().registerHandler([this](mlir::Diagnostic &said) {
    if (said.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    llvm::raw_string_ostream out(text);
    out << said << '\n';
    for (mlir::Diagnostic &note : said.getNotes())
      out << "  " << note << '\n';
    return mlir::success();
  });
}

Lowered::Lowered() : words(context) {
  static const bool registered = (registerPipeline(), true);
  (void)registered;
  context.loadDialect<mlir::func::FuncDialect, model::ModelDialect, kernel::KernelDialect,
                      cpu::CpuDialect, cuda::CudaDialect, plan::PlanDialect>();
  context.printOpOnDiagnostic(false);
}

static std::string firstError(const Diagnostics &diagnostics) {
  for (const Diagnostic &each : diagnostics.all())
    if (each.severity == Severity::error)
      return std::string(info(each.code).name) + ": " + each.message;
  return "no error";
}

/// Whether the formatter keeps what the file says, and likes its own text.
static std::optional<std::string> misformatted(const Subject &subject) {
  auto formatted = [](const std::string &text, std::string &tree) -> std::optional<std::string> {
    SourceManager sources;
    Diagnostics diagnostics;
    FileId id = sources.add("formatted.weft", text);
    tree = ast::dump(parse(sources, id, diagnostics));
    return format(sources, id, diagnostics);
  };
  std::string before, after, ignored;
  std::optional<std::string> once = formatted(subject.text, before);
  if (!once)
    return "it parses, and is not formatted";
  std::optional<std::string> twice = formatted(*once, after);
  if (!twice)
    return "the formatted text does not parse";
  if (before != after)
    return "the formatted text says something else";
  if (*once != *twice)
    return "formatting twice changes something";
  return std::nullopt;
}

Verdict Lowered::load(const Subject &subject) {
  chunks = subject.chunks;
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program tree = loadProgram(subject.name, subject.text, sources, diagnostics);
  if (diagnostics.hasErrors())
    return {Kind::invalid, "check", firstError(diagnostics)};
  CheckedProgram checked = check(tree, diagnostics);
  if (!checked)
    return {Kind::invalid, "check", firstError(diagnostics)};
  if (auto problem = misformatted(subject))
    return {Kind::format, "fmt", *problem};
  BuildOptions options;
  options.settings = subject.settings;
  owned = buildModel(checked, options, sources, context, diagnostics);
  if (!owned || diagnostics.hasErrors()) {
    // What shows only once sizes are known is refused with a code of its own, and may be; that the
    // builder cannot do what was checked may not.
    std::string why = firstError(diagnostics);
    bool known = why.starts_with("E06") && !why.starts_with("E0610");
    return {known ? Kind::invalid : Kind::unbuilt, "build", why + "\n" + said()};
  }
  if (failed(mlir::verify(*owned)))
    return {Kind::internal, "build", "not a right module: " + said()};
  return {};
}

Verdict ofStageModel(llvm::StringRef problem) {
  llvm::StringRef said = problem;
  said.consume_front("stage model: ");
  if (!said.starts_with("E0"))
    return {Kind::internal, "stage model", problem.str()};
  return {said.starts_with("E05") ? Kind::refused : Kind::invalid, "stage model", said.str()};
}

bool isLossOfTraining(mlir::func::FuncOp function) {
  auto module = function->getParentOfType<mlir::ModuleOp>();
  return llvm::any_of(module.getOps<model::TrainingOp>(), [&](model::TrainingOp training) {
    return training.getLoss() == function.getSymName();
  });
}

/// The functions of which the trial wants gradients, by symbol: those that `weft run --gradients`
/// could be asked for.
static std::vector<std::string> differentiable(mlir::ModuleOp module) {
  std::vector<std::string> symbols;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    bool isLoss = isLossOfTraining(function);
    bool number = llvm::any_of(function.getResultTypes(), [](mlir::Type type) {
      auto tensor = llvm::cast<model::NamedTensorType>(type);
      return tensor.isFloat() && tensor.getDims().empty();
    });
    if (model::kindOf(function) == model::EntryKind::plain && !isLoss && number)
      symbols.push_back(function.getSymName().str());
  }
  return symbols;
}

std::optional<std::string> Lowered::lower(mlir::ModuleOp module, llvm::StringRef after,
                                          llvm::StringRef last,
                                          const std::vector<std::string> &without, bool gradients,
                                          const Target *target) {
  std::vector<std::string> gradientsOf;
  if (gradients)
    gradientsOf = differentiable(module);
  llvm::SmallVector<llvm::StringRef> left(without.begin(), without.end());
  bool begun = after.empty();
  for (const Stage &stage : stages()) {
    if (!begun) {
      begun = stage.name == after;
      continue;
    }
    mlir::PassManager manager(&context);
    StageOptions options;
    options.without = left;
    options.gradientsOf = gradientsOf;
    options.chunks = chunks;
    if (target) {
      options.notForTarget = target->passesLeftOut();
      options.machines = target->schedules();
    }
    if (failed(addStage(manager, stage.name, options)) || failed(manager.run(module))) {
      std::string text = said();
      return "stage " + stage.name.str() + ": " + (text.empty() ? "fails silently" : text);
    }
    if (stage.name == last)
      break;
  }
  return std::nullopt;
}

} // namespace weft::reduce
