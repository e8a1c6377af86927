// Builds and runs systems of the record.
#include "Systems.h"

#include "passes/Pipeline.h"
#include "tests/record/RecordedData.h"

#include "mlir/Pass/PassManager.h"

#include <filesystem>
#include <fmt/format.h>

using namespace mlir;

namespace weft::test {

std::string programFile(const std::string &program) {
  namespace fs = std::filesystem;
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

Tensors tensorsOf(const System &system) {
  Tensors tensors = readTensors(recordedData("seeds") / (system.file + ".safetensors"));
  for (auto &[name, tensor] : Tensors(tensors)) // states are inputs in the files
    if (name.starts_with("in.") && name.find("running_") != name.npos)
      tensors[system.prefix + name.substr(3)] = tensor;
  if (system.file == "000-encoder-block") // recorded without a mask
    tensors["in.mask"] = {{2, 7, 7}, reference::Switches(2 * 7 * 7, 1)};
  return tensors;
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
    if (auto name = function->getAttrOfType<StringAttr>("weft.entry"); name && name == entry)
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

/// The settings, with the sizes that parameters need and only the data says.
BuildOptions optionsOf(const System &system, const ast::Program &program, const Tensors &tensors) {
  BuildOptions options = optionsFrom(system.settings.empty() ? "" : "--set " + system.settings);
  options.settings.config = system.config;
  options.entries = {system.entry};
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
  std::string path = programFile(system.program);
  Diagnostics diagnostics;
  program = loadProgram(path, sources, diagnostics);
  context.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      problem += diagnostic.str() + "\n";
    return success();
  });
  if (!diagnostics.hasErrors())
    module =
        buildModel(program, optionsOf(system, program, tensors), sources, context, diagnostics);
  const ast::Weights *clause = findWeights(program, system.clause);
  if (module && clause)
    map = WeightsMap::make(*clause, *module, diagnostics);
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
  ForeignParameters foreign = loadForeign(*module, map ? &*map : nullptr, tensors, prefix);
  for (const std::string &missing : foreign.problems)
    problem += missing + "\n";
  for (auto &[name, tensor] : tensors)
    if (name.starts_with(prefix) && !foreign.used.contains(name) &&
        !(map && map->ignores(name.substr(prefix.size()))))
      problem += "never used: " + name + "\n";
  return std::move(foreign.arrays);
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
