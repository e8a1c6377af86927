// `OUT run`: one entry, from files to files.
#include "runtime/model/EntryRun.h"
#include "runtime/program/Command.h"
#include "runtime/training/LoadWeights.h"

#include <set>

using namespace weft::runtime;

/// Converts the tensors of a file into the inputs of a run.
static Status readInputs(EntryRun &run, const SafetensorsFile &file) {
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = inputs[i];
    const StoredTensor *tensor = file.find(argument.name);
    int64_t bad = convert(tensor->type, file.data(*tensor), run.inputCount(static_cast<int>(i)),
                          argument.element, run.input(static_cast<int>(i)));
    if (bad >= 0)
      return Error{Code::Value,
                   text("%s: tensor `%s` holds a value that %s cannot hold, at element %lld",
                        file.path().c_str(), argument.name.c_str(),
                        argument.element == Element::Int ? "int32" : "bool", wide(bad))};
  }
  return success();
}

/// Holds the names, types and shapes of a file's tensors against the inputs of a run.
static Status bindInputs(EntryRun &run, const Facts &facts, const SafetensorsFile &file) {
  std::vector<std::string> missing, surplus;
  const std::vector<Argument> &inputs = run.entry().inputs;
  for (const Argument &argument : inputs)
    if (!file.find(argument.name))
      missing.push_back(argument.name);
  for (const StoredTensor &tensor : file.tensors())
    if (argumentNamed(inputs, tensor.name) < 0)
      surplus.push_back(tensor.name);
  if (!missing.empty() || !surplus.empty())
    return Error{
        Code::Name,
        text("%s: %s%s%s%s%s of entry %s", file.path().c_str(), missing.empty() ? "" : "lacks ",
             missing.empty() ? "" : listed(missing).c_str(),
             missing.empty() || surplus.empty() ? "" : " and has ", missing.empty() ? "has " : "",
             surplus.empty() ? ", an input" : (listed(surplus) + ", no input").c_str(),
             run.entry().name.c_str())};
  for (size_t i = 0; i < inputs.size(); ++i) {
    const StoredTensor *tensor = file.find(inputs[i].name);
    if (!converts(tensor->type, inputs[i].element))
      return Error{Code::Type,
                   text("%s: tensor `%s` holds %s, expected %s %s", file.path().c_str(),
                        inputs[i].name.c_str(), elementTypeName(tensor->type),
                        elementName(inputs[i].element), facts.dimNames(inputs[i].dims).c_str())};
    if (Status status =
            run.bindShape(static_cast<int>(i), tensor->shape, "input " + inputs[i].name);
        !status)
      return status;
  }
  return success();
}

/// The outputs of a run to a file: results under their names, or the gradients by what they are
/// gradients of.
static Status writeOutputs(const EntryRun &run, const Facts &facts, const std::string &path,
                           bool gradients) {
  std::vector<TensorToWrite> tensors;
  const std::vector<Argument> &outputs = run.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Argument &argument = outputs[i];
    int number = static_cast<int>(i), parameter = facts.parameter(argument.gradientOf);
    if (argument.gradientOf.empty() == gradients)
      continue;
    if (parameter >= 0)
      addSlices(facts, facts.parameters[parameter], run.output(number), tensors);
    else
      tensors.push_back({gradients ? argument.gradientOf : argument.name, argument.element,
                         run.outputShape(number), run.output(number)});
  }
  for (size_t i = 0; i < run.entry().inputs.size() && !gradients; ++i)
    if (const Argument &argument = run.entry().inputs[i]; argument.cache)
      tensors.push_back({argument.name, argument.element, run.inputShape(static_cast<int>(i)),
                         run.input(static_cast<int>(i))});
  return writeSafetensors(path, tensors);
}

static Status setParameters(Model &model, const Options &options) {
  if (model.facts.parameters.empty() && !options.has("weights"))
    return success();
  Result<std::string> path = options.need("weights");
  if (!path)
    return path.error();
  Result<LoadedWeights> loaded = loadWeights(model.parameters, *path);
  return loaded ? success() : Status(loaded.error());
}

/// The entry to run: with --gradients, the one that gives the gradients too.
static Result<int> chooseEntry(const Model &model, const Options &options) {
  Result<std::string> name = options.need("entry");
  if (!name)
    return name.error();
  Result<int> entry = model.entry(*name);
  if (!entry || !options.has("gradients") ||
      model.facts.entries[*entry].kind == EntryKind::Gradient)
    return entry;
  if (int gradient = model.facts.entry(*name + ".gradient"); gradient >= 0)
    return gradient;
  return Error{Code::Name,
               text("no gradients of `%s`: this program was built without `%s.gradient`",
                    name->c_str(), name->c_str())};
}

static Result<int> runEntry(Model &model, const Options &options) {
  Result<int> entry = chooseEntry(model, options);
  if (!entry)
    return entry.error();
  Result<std::string> inputs = options.need("inputs"), outputs = options.need("outputs");
  Result<uint64_t> seed = options.seed();
  Result<std::vector<SizeSetting>> settings = readSizeSettings(options);
  if (!inputs || !outputs)
    return !inputs ? inputs.error() : outputs.error();
  if (!seed || !settings)
    return !seed ? seed.error() : settings.error();
  if (Status status = setParameters(model, options); !status)
    return status.error();
  Result<SafetensorsFile> file = SafetensorsFile::open(*inputs);
  if (!file)
    return file.error();
  EntryRun run(model, *entry);
  if (Status status = bindInputs(run, model.facts, *file); !status)
    return status.error();
  for (const SizeSetting &setting : *settings)
    if (Status status = run.setSize(setting.dimension, setting.size, "--set"); !status)
      return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  if (Status status = readInputs(run, *file); !status)
    return status.error();
  if (Status status = run.run(*seed); !status)
    return status.error();
  if (Status status = writeOutputs(run, model.facts, *outputs, false); !status)
    return status.error();
  if (options.has("gradients"))
    if (Status status = writeOutputs(run, model.facts, options.string("gradients"), true); !status)
      return status.error();
  return 0;
}

Command weft::runtime::runCommand() {
  return {"run",
          "run an entry on tensors of a file",
          "Runs an entry once. Tensors are safetensors files; their names are those of the entry's "
          "arguments and results.\n"
          "Sizes that the model leaves open come from the inputs.",
          {{"entry", "NAME", "the entry to run (`info` lists them)"},
           {"weights", "PATH", "a training's folder, one of its checkpoints, or a file of weights"},
           {"inputs", "FILE", "the entry's arguments"},
           {"outputs", "FILE", "where its results go"},
           {"gradients", "FILE", "where d result / d every parameter and float input goes"},
           {"set", "DIM=N,...", "sizes that no input has"},
           {"seed", "N", "what random numbers count from (default 0)"}},
          runEntry};
}
