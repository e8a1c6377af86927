// One program on its way through the stages.
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/AskedTargets.h"

#include "frontend/check/Checker.h"
#include "frontend/lower/ModelBuilder.h"
#include "ir/cpu/Cpu.h"
#include "ir/cuda/Cuda.h"
#include "ir/kernel/Kernel.h"
#include "ir/model/SourceLines.h"
#include "ir/plan/Plan.h"
#include "passes/Pipeline.h"
#include "tools/tune/ThisMachine.h"
#include "tools/weft/base/EachPass.h"
#include "tools/weft/base/Inference.h"
#include "tools/weft/base/ScheduleOptions.h"
#include "tools/weft/base/StorageOptions.h"
#include "tools/weft/sizes/RecomputeBudget.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "ir/model/Entries.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <unistd.h>
namespace weft {

std::vector<OptionSpec> sourceOptions() {
  return {{"config,c", "NAME", "sizes and options from this config of the file"},
          {"set", "NAME=VALUE,...", "a size or an option; wins over the config"},
          {"json", "", "diagnostics as JSON, one object a line"}};
}

std::vector<OptionSpec> loweringOptions() {
  return {
      {"without", "PASS,...", "leave these passes out (names as in `weft show --passes`)"},
      {"each-pass", "DIR", "a numbered file for every pass that changed something"},
      {"precision", "NAME", "float32, tf32 (GPUs multiply it) or bf16 (is kept) (float32)"},
      {"weights-as", "NAME,...", "weights of products: int8, int4 or float32, by part PATH=int4"},
      {"caches-as", "NAME",
       "what a decoding keeps of known positions: float32, bf16 or int8 (as the precision says)"},
      {"inference", "",
       "without training and gradients; a program for cpu alone carries weights as products read "
       "them"},
      {"recompute-budget", "BYTES,NAME=N,...",
       "logits in chunks, and more computed again for gradients, until intermediate values of a "
       "step fit 300MB or 2GiB at these sizes (their bounds, or 64); none: keep all"},
      {"cores", "N", "how many cores every kernel should have work for (32)"},
      {"tuned", "FILE", "schedules that `weft tune` has found on this machine, for `cpu`"},
      {"probe", "PATH,...", "values to give besides, by their paths, as entries `NAME.probed`"}};
}

/// What a pass says, in the words of the front end: `E0510: …` starts what has a code and a page.
static std::optional<Diagnostic> codedDiagnostic(const mlir::Diagnostic &said,
                                                 const std::string &text,
                                                 const SourceManager &sources) {
  auto code =
      text.size() > 7 && text.compare(5, 2, ": ") == 0 ? findCode(text.substr(0, 5)) : std::nullopt;
  mlir::FileLineColLoc at = model::sourceOf(said.getLocation());
  if (!code || !at)
    return std::nullopt;
  Diagnostic result;
  result.code = *code;
  result.message = text.substr(7);
  for (FileId id = 0; id < sources.fileCount(); ++id) {
    const SourceFile &source = sources.file(id);
    if (source.name() != at.getFilename().getValue() || at.getLine() == 0 ||
        at.getLine() > source.lineCount())
      continue;
    uint32_t line = source.startOf(at.getLine()), length = source.line(at.getLine()).size();
    uint32_t column = std::min(std::max(at.getColumn(), 1u) - 1, length);
    result.label({id, line + column, line + length}, "");
  }
  for (const mlir::Diagnostic &note : said.getNotes()) {
    std::string more;
    llvm::raw_string_ostream(more) << note;
    if (llvm::StringRef(more).starts_with("help: "))
      result.suggest(more.substr(6));
    else
      result.note(more);
  }
  return result;
}

struct Compilation::Machinery {
  Machinery(const std::string &folder, const std::vector<runtime::NamedOutput> &outputs) {
    context.loadDialect<mlir::func::FuncDialect, model::ModelDialect, kernel::KernelDialect,
                        cpu::CpuDialect, cuda::CudaDialect, plan::PlanDialect>();
    context.printOpOnDiagnostic(false);
    if (!folder.empty())
      dumps.emplace(folder, outputs);
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::optional<EachPass> dumps;
  RecomputeLevel unlimited, recomputed;
};

RecomputeLevel &Compilation::unlimited() {
  return machinery->unlimited;
}

RecomputeLevel &Compilation::recomputed() {
  return machinery->recomputed;
}

Compilation::Compilation(const Arguments &arguments, bool several)
    : arguments(arguments), file(arguments.positional.at(0)) {
  auto problem = askedTargets(arguments, several, allTargets);
  target = problem ? misuse(*problem), nullptr : allTargets.front();
  static const bool registered = (registerPipeline(), true);
  (void)registered;
  machinery = std::make_unique<Machinery>(arguments.get("each-pass"), outputs);
  for (const char *output : {"output", "outputs", "gradients", "plot"})
    if (arguments.has(output))
      outputs.push_back({output, arguments.get(output)});
  // What a pass says goes through the same window onto the source as what the checker says.
  machinery->context.getDiagEngine().registerHandler([this](mlir::Diagnostic &said) {
    std::string text;
    llvm::raw_string_ostream(text) << said;
    std::string place;
    if (auto at = model::sourceOf(said.getLocation()))
      place = fmt::format("{}:{}:{}: ", at.getFilename().str(), at.getLine(), at.getColumn());
    if (said.getSeverity() == mlir::DiagnosticSeverity::Warning)
      fmt::print(stderr, "{}warning: {}\n", place, text);
    if (said.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    if (auto coded = codedDiagnostic(said, text, sources)) {
      if (collects)
        return addOnce(*coded), mlir::success();
      fmt::print(stderr, "{}",
                 this->arguments.has("json") ? renderJson(*coded, sources)
                                             : render(*coded, sources, {.colour = isatty(2) == 1}));
      return mlir::success();
    }
    promiseBroken |= text.starts_with("internal error");
    fmt::print(stderr, "{}error: {}\n", place, text);
    for (mlir::Diagnostic &note : said.getNotes()) {
      std::string more;
      llvm::raw_string_ostream(more) << note;
      fmt::print(stderr, "  = {}\n", more);
    }
    return mlir::success();
  });
}

Compilation::~Compilation() = default;
void Compilation::keepRemarks() {
  collectRemarks(context(), remarks);
}
mlir::MLIRContext &Compilation::context() {
  return machinery->context;
}

bool Compilation::misuse(const std::string &text) {
  fmt::print(stderr, "weft: {}\n", text);
  misused = true;
  return false;
}

bool Compilation::report() {
  if (!warns && !diagnostics.hasErrors())
    diagnostics = Diagnostics();
  diagnostics.putErrorsFirst();
  if (arguments.has("json"))
    fmt::print(stderr, "{}", renderJson(diagnostics, sources));
  else if (!diagnostics.empty())
    fmt::print(stderr, "{}", render(diagnostics, sources, {.colour = isatty(2) == 1}));
  bool good = !diagnostics.hasErrors();
  diagnostics = Diagnostics();
  return good;
}

void Compilation::readAndCheck() {
  tree = loadProgram(file, sources, diagnostics);
  // A tree with holes would give errors that are not the user's.
  if (!diagnostics.hasErrors())
    checked.emplace(weft::check(tree, diagnostics));
}

bool Compilation::readModule() {
  mlir::ParserConfig config(&context());
  owned = mlir::parseSourceFile<mlir::ModuleOp>(file, config);
  noteSources();
  return owned && overwritesNoInput();
}

bool Compilation::model() {
  if (!(llvm::sys::path::extension(file) == ".mlir" ? readModule() : buildSource()))
    return false;
  if (arguments.has("inference")) {
    if (auto problem = wrongForInference(arguments))
      return misuse(*problem);
    if (auto problem = leftOutByInference(module(), only))
      return misuse(*problem);
    keepInference(module());
  }
  auto problem = setStorage(arguments, *target, allTargets, module(), only.empty());
  return !problem || misuse(*problem);
}

bool Compilation::buildSource() {
  readAndCheck(); // its warnings wait for what the builder has to say
  noteSources();
  if (diagnostics.hasErrors())
    return report();
  if (!overwritesNoInput())
    return false;
  BuildOptions options;
  settings = {arguments.get("config"), {}};
  std::set<llvm::StringRef> named;
  for (const std::string &given : arguments.all("set")) {
    llvm::SmallVector<llvm::StringRef> pieces;
    llvm::StringRef(given).split(pieces, ',', -1, false);
    for (llvm::StringRef piece : pieces) {
      auto [name, value] = piece.split('=');
      if (name.empty() || value.empty())
        return misuse(fmt::format("--set takes NAME=VALUE, not `{}`", piece.str()));
      if (!named.insert(name.trim()).second)
        return misuse(fmt::format("--set says `{}` twice", name.trim().str()));
      settings.set.emplace_back(name.trim().str(), value.trim().str());
    }
  }
  options.settings = settings;
  if (!only.empty())
    options.entries.push_back(sourceEntry());
  std::vector<std::string> probes = arguments.all("probe");
  for (const std::string &saved : arguments.all("save")) // of `weft run`: what it builds must have
    probes.push_back(saved);
  for (const std::string &given : probes) {
    llvm::SmallVector<llvm::StringRef> paths;
    llvm::StringRef(given).split(paths, ',', -1, false);
    options.probes.insert(options.probes.end(), paths.begin(), paths.end());
  }
  owned = buildModel(*checked, options, sources, context(), diagnostics);
  if (!report() || !owned)
    return false;
  if (machinery->dumps)
    machinery->dumps->write(module(), "source");
  return !machinery->dumps || !machinery->dumps->failed();
}

/// What the program is made of, and what options name themselves: what more is behind these is
/// noted where it is opened.
void Compilation::noteSources() const {
  runtime::ReadFiles::note(file);
  noteFiles(sources);
  for (const char *input : {"from", "inputs", "weights", "tuned"})
    for (const std::string &path : arguments.all(input))
      runtime::ReadFiles::note(path);
  for (const char *option : {"measure", "calibrate"})
    for (const std::string &data : arguments.all(option))
      runtime::ReadFiles::note(data.substr(data.find(':') + 1)); // text:FILE
}

bool Compilation::overwritesNoInput() {
  runtime::Status kept = runtime::ReadFiles::checkOutputs(outputs);
  return kept || misuse(kept.error().message);
}

/// The entry of the source that `only` is, or is derived of. The gradient of an entry without a
/// training is made only if it is asked for.
std::string Compilation::sourceEntry() {
  auto isEntry = [&](llvm::StringRef name) {
    return checkedProgram().entries.count(std::string_view(name)) != 0;
  };
  auto isDerived = [&](llvm::StringRef name) {
    return checkedProgram().derived.count(std::string_view(name)) != 0;
  };
  auto [entry, part] = llvm::StringRef(only).rsplit('.');
  if (isEntry(only) || isDerived(only) || part.empty())
    return only;
  if (isEntry(entry) && part == "gradient")
    gradients = true;
  else if (!isDerived(entry))
    return only;
  return entry.str();
}

bool Compilation::wants(mlir::Operation *function) const {
  llvm::StringRef name = model::publicName(function);
  return only.empty() || name == only || name.starts_with(only + ".");
}

static std::vector<mlir::Operation *> functionsOf(mlir::ModuleOp module) {
  std::vector<mlir::Operation *> functions;
  for (mlir::Operation &op : *module.getBody())
    if (llvm::isa<mlir::func::FuncOp, plan::EntryOp>(op))
      functions.push_back(&op);
  return functions;
}

bool Compilation::foundOnly() {
  std::vector<std::string> names;
  for (mlir::Operation *function : functionsOf(module())) {
    if (wants(function))
      return true;
    names.push_back(model::publicName(function).str());
  }
  fmt::print(stderr, "weft: there is no entry `{}`; there is `{}`\n", only,
             fmt::join(names, "`, `"));
  return false;
}

void Compilation::keepWanted() {
  for (mlir::Operation *function : functionsOf(module()))
    if (!wants(function))
      function->erase();
  for (auto kernel : llvm::make_early_inc_range(module().getOps<plan::KernelOp>()))
    if (mlir::SymbolTable::symbolKnownUseEmpty(kernel, module()))
      kernel.erase();
}

mlir::func::FuncOp Compilation::functionOf(llvm::StringRef entry) {
  for (auto function : module().getOps<mlir::func::FuncOp>())
    if (model::publicName(function) == entry)
      return function;
  return module().lookupSymbol<mlir::func::FuncOp>(entry);
}

/// Writes down what a function reads now: a gradient is given by all of it, though what the result
/// does not depend on is gone when it is derived.
static void noteParameters(mlir::func::FuncOp function) {
  llvm::SetVector<mlir::Attribute> read;
  function.walk([&](model::ParamOp op) { read.insert(op.getNameAttr().getAttr()); });
  function->setAttr(model::attr::parameters,
                    mlir::ArrayAttr::get(function.getContext(), read.getArrayRef()));
}

bool Compilation::lower(llvm::StringRef last, llvm::StringRef after) {
  llvm::SmallVector<llvm::StringRef> without;
  std::vector<std::string> named = arguments.all("without");
  for (const std::string &given : named)
    llvm::StringRef(given).split(without, ',', -1, false);
  for (llvm::StringRef pass : without)
    if (!isPass(pass))
      return misuse(
          fmt::format("there is no pass `{}`; `weft show --passes` lists them", pass.str()));
  std::optional<std::vector<std::string>> gradientsOf = differentiated();
  if (!gradientsOf)
    return false;
  if (after.empty())
    for (const std::string &symbol : *gradientsOf)
      noteParameters(module().lookupSymbol<mlir::func::FuncOp>(symbol));
  int64_t cores = 0;
  if (auto problem = readCores(arguments, *target, cores))
    return misuse(*problem);
  std::string tuned;
  if (auto problem = readTuned(arguments, *target, allTargets, tuned))
    return misuse(*problem);
  StageOptions options{without, *gradientsOf, target->passesLeftOut(), target->schedules(), cores};
  if (after.empty() && !chooseRecomputed(options))
    return false;
  options.price = recomputed().way.price;
  options.chunks = recomputed().way.chunks;
  if (!tuned.empty()) { // not before: how kernels are cut changes nothing of what a price asks
    options.tuned = tuned;
    options.tunedOn = tune::thisMachine();
  }
  return stageNamed(last)
             ? runStages(module(), last, after, options, /*isTrial=*/false) && foundOnly()
             : misuse(fmt::format("there is no stage `{}`", last.str()));
}

bool Compilation::runStages(mlir::ModuleOp module, llvm::StringRef last, llvm::StringRef after,
                            const StageOptions &options, bool isTrial) {
  bool begun = after.empty();
  for (const Stage &stage : stages()) {
    if (!begun) {
      begun = stage.name == after;
      continue;
    }
    mlir::PassManager manager(&context());
    manager.enableVerifier(!collects); // a check makes no code: once, at its end, is enough
    bool dumps = machinery->dumps && !isTrial;
    if (dumps)
      manager.addInstrumentation(machinery->dumps->watch(stage.name.str()));
    if (failed(addStage(manager, stage.name, options)) || failed(manager.run(module)) ||
        (dumps && machinery->dumps->failed()))
      return false;
    if (stage.name == last)
      break;
  }
  return true;
}

} // namespace weft
