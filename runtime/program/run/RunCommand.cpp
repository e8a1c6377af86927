// `OUT run`: one entry, once, on tensors of a file or of the command line.
#include "runtime/program/Command.h"
#include "runtime/program/Translating.h"
#include "runtime/program/run/RunOptions.h"
#include "runtime/program/run/RunOutputs.h"
#include "runtime/program/run/RunPrompt.h"
#include "runtime/tensors/TensorText.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include <algorithm>
#include <cstdio>
#include <deque>

using namespace weft::runtime;

/// What the compiler calls an entry with probes.
static constexpr char probedSuffix[] = ".probed";

/// Which results are wanted: all, but of what is probed only what --save names.
static bool isWanted(const EntryRun &run, const Facts &facts, const std::string &name,
                     const std::vector<std::string> &saved) {
  const std::string &entry = run.entry().name;
  size_t suffix = entry.rfind(probedSuffix);
  int plain = suffix == std::string::npos ? -1 : facts.entry(entry.substr(0, suffix));
  return plain < 0 || argumentNamed(facts.entries[plain].outputs, name) >= 0 ||
         std::find(saved.begin(), saved.end(), name) != saved.end();
}

/// Which outputs go to a file: of an entry that itself gives gradients, all are results, unless
/// --gradients takes these elsewhere.
enum class Part { all, results, gradients };

/// The outputs of a run to a file: results under their names, gradients by what they are gradients
/// of.
static Status writeOutputs(const EntryRun &run, const Facts &facts, const std::string &path,
                           Part part, const std::vector<std::string> &saved) {
  std::vector<TensorToWrite> tensors;
  const std::vector<Argument> &outputs = run.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Argument &argument = outputs[i];
    int number = static_cast<int>(i), parameter = facts.parameter(argument.gradientOf);
    bool isGradient = !argument.gradientOf.empty();
    if ((part != Part::all && isGradient != (part == Part::gradients)) ||
        !isWanted(run, facts, argument.name, saved))
      continue;
    if (isGradient && parameter >= 0)
      addSlices(facts, facts.parameters[parameter], run.output(number), tensors);
    else
      tensors.push_back({isGradient ? argument.gradientOf : argument.name, argument.element,
                         run.outputShape(number), run.output(number)});
  }
  std::deque<std::vector<float>> widened; // of caches whose elements share scales
  for (size_t i = 0; i < run.entry().inputs.size() && part != Part::gradients; ++i)
    if (const Argument &argument = run.entry().inputs[i]; argument.cache) {
      int number = static_cast<int>(i);
      const void *data = run.input(number);
      Element element = argument.element;
      if (element == Element::GroupedInt8) {
        std::vector<float> &values = widened.emplace_back(size_t(run.inputCount(number)));
        for (size_t j = 0; j < values.size(); ++j)
          values[j] = grouped::valueAt(data, static_cast<int64_t>(j));
        data = values.data();
        element = Element::Float;
      }
      tensors.push_back({argument.name, element, run.inputShape(number), data});
    }
  return writeRunOutputs(part == Part::gradients ? "gradients" : "outputs", path, tensors);
}

/// The outputs as text, gradients by what they are gradients of.
static void printOutputs(const EntryRun &run, const Facts &facts, Part part,
                         const std::vector<std::string> &saved) {
  const std::vector<Argument> &outputs = run.entry().outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string &of = outputs[i].gradientOf;
    if ((part == Part::results && !of.empty()) || !isWanted(run, facts, outputs[i].name, saved))
      continue;
    int number = static_cast<int>(i);
    NamedTensor tensor{of.empty() ? outputs[i].name : of,
                       {},
                       run.outputShape(number),
                       outputs[i].element,
                       run.output(number)};
    for (int dim : outputs[i].dims)
      tensor.dims.push_back(facts.dims[dim].name);
    printf("%s", tensorText(tensor).c_str());
  }
}

static Result<LoadedWeights> setParameters(Model &model, const Options &options,
                                           const Entry &entry) {
  if (options.has("weights") && options.has("initialize"))
    return Error{Code::Usage,
                 "--weights and --initialize: the parameters are read or new, not both"};
  LoadedWeights own{.carried = model.carried ? &*model.carried : nullptr};
  if (options.has("initialize")) {
    Result<uint64_t> seed = options.seed("initialize");
    if (!seed)
      return seed.error();
    model.parameters.initialize(*model.pool, *seed);
    return own;
  }
  if (model.facts.parameters.empty() && !options.has("weights"))
    return own;
  Result<LoadedWeights> loaded =
      loadOrCarried(model, options.string("weights"), "weights", entry.name);
  if (!loaded && loaded.error().code == Code::Usage)
    return Error{Code::Usage, loaded.error().message + " (or --initialize SEED, for new ones)"};
  return loaded;
}

/// The names of --save.
static std::vector<std::string> savedNames(const Options &options) {
  std::vector<std::string> names;
  for (const std::string &given : options.all("save"))
    for (size_t begin = 0; begin <= given.size();) {
      size_t end = std::min(given.find(',', begin), given.size());
      if (end > begin)
        names.push_back(given.substr(begin, end - begin));
      begin = end + 1;
    }
  return names;
}

/// The entry that gives what --save names besides.
static Result<int> probedEntry(const Model &model, const std::string &name,
                               const std::vector<std::string> &saved) {
  int probed = model.facts.entry(name + probedSuffix);
  for (const std::string &value : saved)
    if (probed < 0 || argumentNamed(model.facts.entries[probed].outputs, value) < 0)
      return Error{Code::Name, text("--save %s: %s was built without it; add `--probe %s` to `weft "
                                    "build`",
                                    value.c_str(), name.c_str(), value.c_str())};
  return probed;
}

/// Why an entry has no gradients in this program, and what to do.
static Error noGradients(const Facts &facts, const Entry &entry) {
  std::string list;
  int floats = 0;
  bool isNumber = false;
  for (const Argument &result : entry.outputs) {
    isNumber |= result.element == Element::Float && result.dims.empty();
    std::string dims;
    for (int dim : result.dims)
      dims += (dims.empty() ? "" : ", ") + facts.dims[dim].name;
    const char *element = result.element == Element::Float  ? "float"
                          : result.element == Element::Bool ? "bool"
                                                            : "int";
    list += (list.empty() ? "`" : ", `") + result.name + ": " + element + "[" + dims + "]`";
    floats += result.element == Element::Float;
  }
  std::string begin = "no gradient of `" + entry.name + "`: ";
  if (entry.kind != EntryKind::Plain)
    return Error{Code::Name, begin + "it is derived; entries that are written have gradients"};
  if (isNumber) // of which programs have the gradient
    return Error{Code::Name, begin + "this program was built with --inference, which leaves "
                                     "gradients out; build it without"};
  if (floats == 0)
    return Error{Code::Name, begin + "none of its results is a float: " + list +
                                 "; let it give the number too whose gradient is wanted"};
  if (floats > 1)
    return Error{Code::Name, begin +
                                 "it has several float results, none of which is a single "
                                 "number: " +
                                 list +
                                 "; let it give the number too whose gradient is wanted, such as a "
                                 "sum"};
  return Error{Code::Name, begin + "it gives no single number (" + list +
                               "), so this program was built without; add `--gradients-of " +
                               entry.name + "` to `weft build` for the gradient of the sum"};
}

/// The entry to run: with --gradients, the one that gives the gradients too.
static Result<int> chooseEntry(const Model &model, const Options &options) {
  Result<std::string> name = options.need("entry");
  if (!name)
    return name.error();
  Result<int> entry = model.entry(*name);
  if (std::vector<std::string> saved = savedNames(options); entry && !saved.empty()) {
    if (options.has("gradients"))
      return Error{Code::Usage, "--save and --gradients are of two runs"};
    return probedEntry(model, *name, saved);
  }
  if (!entry || !options.has("gradients") ||
      model.facts.entries[*entry].kind == EntryKind::Gradient)
    return entry;
  if (int gradient = model.facts.entry(*name + ".gradient"); gradient >= 0)
    return gradient;
  return noGradients(model.facts, model.facts.entries[*entry]);
}

static Result<int> runEntry(Model &model, const Options &options) {
  Result<int> entry = chooseEntry(model, options);
  if (!entry)
    return entry.error();
  Result<RunInputs> inputs = RunInputs::open(options);
  Result<uint64_t> seed = options.seed();
  Result<std::vector<SizeSetting>> settings = readSizeSettings(options);
  if (!inputs)
    return inputs.error();
  if (!seed || !settings)
    return !seed ? seed.error() : settings.error();
  Result<LoadedWeights> loaded = setParameters(model, options, model.facts.entries[*entry]);
  if (!loaded)
    return loaded.error();
  Result<AxisTexts> words = addTexts(*inputs, model, model.facts.entries[*entry], *loaded, options);
  if (!words)
    return words.error();
  if (Status status = checkOutputs(options, {"outputs", "gradients", "plot"}); !status)
    return status.error();
  EntryRun run(model, *entry);
  if (Status status = inputs->bind(run, model.facts); !status)
    return status.error();
  for (const SizeSetting &setting : *settings)
    if (Status status = run.setSize(setting.dimension, setting.size, "--set"); !status)
      return status.error();
  if (Status status = run.allocate(); !status)
    return status.error();
  if (Status status = inputs->store(run); !status)
    return status.error();
  if (Status status = run.run(*seed); !status)
    return status.error();
  std::vector<std::string> saved = savedNames(options);
  std::string usual = saved.empty() ? run.entry().outputs[0].name : saved[0];
  if (Status status = plotResult(run, model.facts, options, usual, *words); !status)
    return status.error();
  Part part = options.has("gradients") ? Part::results : Part::all;
  if (options.has("print") || (!options.has("outputs") && !options.has("plot")))
    printOutputs(run, model.facts, part, saved);
  if (options.has("outputs"))
    if (Status status = writeOutputs(run, model.facts, options.string("outputs"), part, saved);
        !status)
      return status.error();
  if (options.has("gradients"))
    if (Status status =
            writeOutputs(run, model.facts, options.string("gradients"), Part::gradients, saved);
        !status)
      return status.error();
  return 0;
}

Command weft::runtime::runCommand() {
  Command command = {
      "run",
      "run an entry on tensors",
      "Runs an entry once (`info` lists them) and prints its results, or writes them to a file. "
      "Tensors are in safetensors files, by the names of the entry's arguments and results, or "
      "stand on the command line: --input 'q=[[1, 0], [0, 1]]'.\n"
      "Sizes that the model leaves open come from the inputs.",
      {},
      runEntry};
  command.understands = [](const Facts &, std::string_view option) {
    return !option.starts_with("source") || scoresTranslations(); // the archive of translation
  };
  for (const RunOption &option : runOptions())
    command.options.push_back(option.spec);
  return command;
}
