// Builds and runs systems of the record.
#include "Systems.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::test {

func::FuncOp functionOf(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (auto name = function->getAttrOfType<StringAttr>("weft.entry"); name && name == entry)
      return function;
  return {};
}

const ast::Function *entryOf(const ast::Program &program, const std::string &name) {
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *function = declaration.as<ast::Function>(); function && function->name.text == name)
        return function;
  return nullptr;
}

namespace {

std::string tensorOf(const System &system, const std::string &argument) {
  auto other = system.inputs.find(argument);
  return other == system.inputs.end() ? "in." + argument : other->second;
}

/// The settings, with the sizes that parameters need and only the data says.
BuildOptions optionsOf(const System &system, const ast::Program &program, const Tensors &tensors) {
  BuildOptions options = optionsFrom(system.settings.empty() ? "" : "--set " + system.settings);
  options.entries = {system.entry};
  options.training = system.training;
  const ast::Function *entry = entryOf(program, system.entry);
  for (const ast::Arg &arg : entry->args) {
    auto tensor = tensors.find(tensorOf(system, arg.name.text));
    for (size_t i = 0; tensor != tensors.end() && i < arg.type->dims.size(); ++i)
      if (const std::string &dim = arg.type->dims[i].name.text;
          llvm::is_contained(system.fromData, dim))
        options.settings.set.emplace_back(dim, fmt::format("{}", tensor->second.shape[i]));
  }
  return options;
}

/// Inputs by argument, with the elements that the entry takes.
reference::NamedArrays inputsOf(const System &system, func::FuncOp function,
                                const Tensors &tensors) {
  reference::NamedArrays inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = reference::inputName(function, i);
    auto tensor = tensors.find(tensorOf(system, name));
    if (tensor == tensors.end())
      continue;
    auto type = model::typeOf(function.getArgument(i));
    reference::Array like;
    if (type.isFloat())
      like.data = reference::Floats();
    else if (type.isBool())
      like.data = reference::Switches();
    else
      like.data = reference::Wholes();
    inputs[name] = asElements(tensor->second, like);
  }
  return inputs;
}

} // namespace

Outcome run(const System &system, const Tensors &tensors) {
  std::string path = WEFT_TESTS "/frontend/systems/" + system.program + ".weft";
  Outcome outcome;
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program program = loadProgram(path, sources, diagnostics);
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  if (!diagnostics.hasErrors())
    module =
        buildModel(program, optionsOf(system, program, tensors), sources, context, diagnostics);
  std::optional<WeightsMap> map;
  const ast::Weights *clause = findWeights(program, system.clause);
  if (module && clause)
    map = WeightsMap::make(*clause, *module, diagnostics);
  if (!diagnostics.empty()) {
    outcome.problem = render(diagnostics, sources);
    return outcome;
  }

  ForeignParameters foreign = loadForeign(*module, map ? &*map : nullptr, tensors, system.prefix);
  for (const std::string &problem : foreign.problems)
    outcome.problem += problem + "\n";
  for (auto &[name, tensor] : tensors)
    if (name.starts_with(system.prefix) && !foreign.used.contains(name) &&
        !(map && map->ignores(name.substr(system.prefix.size()))))
      outcome.problem += "never used: " + name + "\n";
  if (!outcome.problem.empty())
    return outcome;

  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    outcome.problem += diagnostic.str() + "\n";
    return success();
  });
  func::FuncOp function = functionOf(*module, system.entry);
  reference::NamedRun arguments;
  arguments.inputs = inputsOf(system, function, tensors);
  arguments.parameters = std::move(foreign.arrays);
  auto results = reference::runInterpreted(*module, function.getSymName(), std::move(arguments));
  if (failed(results))
    return outcome;
  outcome.outputs = std::move(results->outputs);
  outcome.parameters = std::move(results->parameters);
  return outcome;
}

} // namespace weft::test
