// Builds and runs systems of the record.
#include "Systems.h"
#include "Probes.h"

#include "frontend/check/Checker.h"
#include "passes/Pipeline.h"
#include "tests/record/RecordedData.h"

#include "ir/model/Entries.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

using namespace mlir;
namespace fs = std::filesystem;

namespace weft::test {

std::string programFile(const std::string &program) {
  for (const char *folder : {WEFT_SOURCE "/examples", WEFT_SOURCE "/tests/frontend/systems"})
    for (const fs::path &path : fs::recursive_directory_iterator(folder))
      if (path.filename() == program + ".weft")
        return path.string();
  return program + ".weft"; // which cannot be read, as the loader will say
}

std::string tensorOf(const System &system, const std::string &argument) {
  auto other = system.inputs.find(argument);
  return other == system.inputs.end() ? "in." + argument : other->second;
}

reference::Array lengthsOf(const reference::Array &labels, int64_t padding) {
  reference::Array lengths{labels.shape, reference::Wholes()};
  int64_t width = lengths.shape.pop_back_val();
  const reference::Wholes &ids = labels.wholes();
  reference::Wholes counts;
  for (size_t row = 0; row < ids.size(); row += width)
    counts.push_back(std::count_if(ids.begin() + row, ids.begin() + row + width,
                                   [&](int64_t id) { return id != padding; }));
  lengths.data = std::move(counts);
  return lengths;
}

Tensors tensorsOf(const System &system) {
  Tensors tensors = readTensors(recordedData("seeds") / (system.file + ".safetensors"));
  for (auto &[name, tensor] : Tensors(tensors)) // states are inputs in the files
    if (name.starts_with("in.") && name.find("running_") != name.npos)
      tensors[system.prefix + name.substr(3)] = tensor;
  if (system.program == "translation" && tensors.contains("in.label"))
    tensors["in.length"] =
        lengthsOf(tensors.at("in.label"), system.file == "train-seq2seq" ? 5 : 0);
  if (system.file == "000-encoder-block") // recorded without a mask
    tensors["in.mask"] = {{2, 7, 7}, reference::Switches(2 * 7 * 7, 1)};
  return tensors;
}

bool hasGradients(const System &system, const Tensors &tensors) {
  const std::string &recorded = system.compared.front().recorded.front();
  auto first = tensors.lower_bound("grad.");
  bool isProbed = recorded == "out.output" && tensors.contains("in.probe");
  return first != tensors.end() && first->first.starts_with("grad.") &&
         (recorded == "loss" || isProbed);
}

reference::Array recordedFor(const Compared &compared, const Tensors &tensors) {
  std::vector<reference::Array> recorded;
  for (const std::string &name : compared.recorded)
    recorded.push_back(tensors.at(name));
  return recorded.size() == 1 ? recorded.front() : stacked(recorded);
}

void leaveOutFills(reference::Array &found, reference::Array &recorded) {
  auto *scores = std::get_if<reference::Floats>(&found.data);
  auto *masked = std::get_if<reference::Floats>(&recorded.data);
  if (!scores || !masked || scores->size() != masked->size())
    return;
  for (size_t i = 0; i < scores->size(); ++i)
    if ((*masked)[i] <= -1e6)
      (*scores)[i] = (*masked)[i] = 0;
}

std::string testName(const System &system, size_t index) {
  std::string name = fmt::format("{}_{}_{}", index, system.file, system.entry);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

void PrintTo(const System &system, std::ostream *out) {
  *out << system.file << " " << system.entry;
}

func::FuncOp functionOf(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (auto name = function->getAttrOfType<StringAttr>(model::attr::entry); name && name == entry)
      return function;
  return {};
}

reference::Array asArgument(const reference::Array &array, Type of) {
  auto type = cast<model::NamedTensorType>(of);
  reference::Array like;
  if (type.isFloat())
    like.data = reference::Floats();
  else if (type.isBool())
    like.data = reference::Switches();
  else
    like.data = reference::Wholes();
  return asElements(array, like);
}

namespace {

const ast::Function *entryOf(const ast::Program &program, const std::string &name) {
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *function = declaration.as<ast::Function>(); function && function->name.text == name)
        return function;
  return nullptr;
}

bool hasObserved(const System &system) {
  return llvm::any_of(system.compared, [](const Compared &each) { return !each.type.empty(); });
}

/// A copy of the program's folder, where its files have the edited text; removed when done.
class Edited {
public:
  explicit Edited(const System &system) : original(programFile(system.program)) {
    if (system.edit.first.empty())
      return;
    std::string name = (fs::temp_directory_path() / "weft-edited-XXXXXX").string();
    if (!mkdtemp(name.data()))
      return;
    folder = name;
    for (const fs::path &path : fs::directory_iterator(original.parent_path())) {
      std::ifstream in(path);
      std::string text((std::istreambuf_iterator<char>(in)), {});
      if (size_t at = text.find(system.edit.first); at != text.npos)
        text.replace(at, system.edit.first.size(), system.edit.second), ++count;
      std::ofstream(folder / path.filename()) << text;
    }
  }
  ~Edited() {
    if (!folder.empty())
      fs::remove_all(folder);
  }
  std::string path() const {
    return (folder.empty() ? original : folder / original.filename()).string();
  }
  int count = 0; ///< of the files that had it

private:
  fs::path original, folder;
};

/// The program's file, edited if the system says so, with the entry `observed` if it has paths.
ast::Program programOf(const System &system, SourceManager &sources, Diagnostics &diagnostics) {
  Edited edited(system);
  ast::Program program = loadProgram(edited.path(), sources, diagnostics);
  EXPECT_EQ(edited.count, system.edit.first.empty() ? 0 : 1) << system.edit.first;
  if (!hasObserved(system) || diagnostics.hasErrors())
    return program;
  std::string text = withObserved(program, sources, system.entry, system.compared);
  program = loadProgram(edited.path(), std::move(text), sources, diagnostics);
  readAsPaths(program);
  return program;
}

/// The settings, with the sizes that parameters need and only the data says.
BuildOptions optionsOf(const System &system, const ast::Program &program, const Tensors &tensors) {
  BuildOptions options = optionsFrom(system.settings.empty() ? "" : "--set " + system.settings);
  options.settings.config = system.config;
  options.entries = {system.entry};
  if (hasObserved(system))
    options.entries.push_back(observed);
  options.training = system.training;
  const ast::Function *entry = entryOf(program, system.entry);
  for (size_t a = 0; entry && a < entry->args.size(); ++a) {
    const ast::Arg &arg = entry->args[a];
    auto tensor = tensors.find(tensorOf(system, arg.name.text));
    for (size_t i = 0; tensor != tensors.end() && i < arg.type->dims.size(); ++i)
      if (const std::string &dim = arg.type->dims[i].name.text;
          llvm::is_contained(system.fromData, dim))
        options.settings.set.emplace_back(dim, fmt::format("{}", tensor->second.shape[i]));
  }
  return options;
}

reference::NamedArrays inputsOf(const System &system, func::FuncOp function,
                                const Tensors &tensors) {
  reference::NamedArrays inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = reference::inputName(function, i);
    if (auto tensor = tensors.find(tensorOf(system, name)); tensor != tensors.end())
      inputs[name] = asArgument(tensor->second, function.getArgument(i).getType());
  }
  return inputs;
}

} // namespace

Prepared::Prepared(const System &system, const Tensors &tensors)
    : system(system), tensors(tensors) {
  Diagnostics diagnostics;
  program = programOf(system, sources, diagnostics);
  context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      problem += diagnostic.str() + "\n";
    return success();
  });
  if (!diagnostics.hasErrors())
    module = buildModel(check(program, diagnostics), optionsOf(system, program, tensors), sources,
                        context, diagnostics);
  const ast::Weights *clause = findWeights(program, system.clause);
  if (module)
    plan = clause ? ForeignPlan::make(*clause, *module, diagnostics) : ForeignPlan::own(*module);
  if (!diagnostics.empty()) {
    problem = render(diagnostics, sources);
    return;
  }
  parameters = load(system.prefix);
  function = functionOf(*module, system.entry);
  if (function)
    inputs = inputsOf(system, function, tensors);
}

reference::NamedArrays Prepared::load(const std::string &prefix) {
  ForeignParameters foreign = loadForeign(*module, *plan, tensors, prefix);
  for (const std::string &missing : foreign.problems)
    problem += missing + "\n";
  for (auto &[name, tensor] : tensors)
    if (name.starts_with(prefix) && !foreign.used.contains(name) &&
        !plan->ignores(name.substr(prefix.size())))
      problem += "never used: " + name + "\n";
  return std::move(foreign.arrays);
}

std::string Prepared::resultOf(const System &system, const Compared &compared) {
  if (compared.type.empty())
    return compared.result;
  return fmt::format("observed{}", &compared - system.compared.data());
}

bool Prepared::lower(const std::vector<std::string> &gradientsOf) {
  static const bool registered = (registerPipeline(), true);
  (void)registered;
  PassManager manager(&context);
  return succeeded(addStage(manager, "model", {{}, gradientsOf})) &&
         succeeded(manager.run(*module));
}

reference::NamedResults Prepared::run(StringRef symbol, reference::NamedArrays given) {
  reference::NamedRun arguments;
  arguments.inputs = std::move(given);
  for (auto &[name, value] : parameters)
    arguments.parameters[name] = value;
  auto results = reference::runInterpreted(*module, symbol, std::move(arguments));
  return succeeded(results) ? std::move(*results) : reference::NamedResults();
}

} // namespace weft::test
