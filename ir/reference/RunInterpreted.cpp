// One run by names instead of positions.
#include "ir/reference/Interpreter.h"

using namespace mlir;
using namespace weft;
using namespace weft::reference;

FailureOr<NamedResults> weft::reference::runInterpreted(ModuleOp module, StringRef entry,
                                                        NamedRun run) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return module.emitError() << "there is no entry `" << entry << "`";
  std::vector<Array> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = inputName(function, i);
    auto found = run.inputs.find(name);
    if (found == run.inputs.end())
      return function.emitError() << "input `" << name << "` is missing";
    inputs.push_back(std::move(found->second));
    run.inputs.erase(found);
  }
  if (!run.inputs.empty())
    return function.emitError() << "`" << entry << "` has no input `" << run.inputs.begin()->first()
                                << "`";

  Interpreter interpreter(module, run.sizes);
  interpreter.setRandom(run.random);
  interpreter.observe(std::move(run.observer));
  for (auto &[name, value] : run.parameters)
    if (failed(interpreter.setParameter(name, std::move(value))))
      return failure();
  FailureOr<std::vector<Array>> outputs = interpreter.run(entry, inputs);
  if (failed(outputs))
    return failure();

  NamedResults results;
  for (auto [i, output] : llvm::enumerate(*outputs))
    results.outputs[outputName(function, i)] = output;
  results.inOrder = std::move(*outputs);
  for (auto parameter : module.getOps<model::ParameterOp>())
    if (Shared value = interpreter.parameter(parameter.getSymName()))
      results.parameters[parameter.getSymName()] = *value;
  return results;
}
