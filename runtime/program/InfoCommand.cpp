// `OUT info`: what the program is.
#include "runtime/Archives.h"
#include "runtime/data/RandomBatches.h"
#include "runtime/machine/Isa.h"
#include "runtime/model/EntryRun.h"
#include "runtime/model/Slices.h"
#include "runtime/program/Command.h"
#include "runtime/text/KeptTokenizer.h"
#include "runtime/training/TrainingMemory.h"

#include <cstdio>
#include <set>

using namespace weft::runtime;

static void printDimension(const Dimension &dimension) {
  std::string size = dimension.size      ? text("%lld", wide(*dimension.size))
                     : dimension.formula ? "follows from others"
                     : dimension.bound
                         ? text("comes with the data, at most %lld", wide(*dimension.bound))
                         : "comes with the data";
  printf("  %-12s %s\n", dimension.name.c_str(), size.c_str());
}

static void printArguments(const Facts &facts, const char *title,
                           const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    std::string element =
        argument.index >= 0 ? facts.dims[argument.index].name : elementName(argument.element);
    printf("    %-4s %s: %s%s%s\n", title, argument.name.c_str(), element.c_str(),
           facts.dimNames(argument.dims).c_str(), argument.cache ? " (cache)" : "");
  }
}

/// What is carried beside the weights.
static const char *companions(const CarriedFile &carried) {
  bool target = !carried.find(tokenizerFile).empty();
  if (!carried.find(sourceTokenizerFile).empty())
    return target ? " with tokenizers of source and target" : " with a tokenizer of sources";
  return target ? " with a tokenizer" : "";
}

/// How many of the parameters are carried packed, if some are.
static std::string packedText(const Facts &facts) {
  int64_t alone = 0, beside = 0, bytes = 0;
  std::set<int> seen;
  for (const PackedFacts &packed : facts.packed) {
    if (!packed.carried)
      continue;
    bytes += packed.carriedBytes();
    const Parameter &parameter = facts.parameters[static_cast<size_t>(packed.of)];
    if (seen.insert(packed.of).second)
      (parameter.packedAlone ? alone : beside) += elementCount(facts, parameter);
  }
  if (bytes == 0)
    return "";
  std::string more = beside > 0 ? text("; %lld are there as they are too", wide(beside)) : "";
  return text(" (%lld of them packed as products read them, %.1f MB%s)", wide(alone + beside),
              static_cast<double>(bytes) * 1e-6, more.c_str());
}

/// The kernels that a program has for devices, and the devices that are here.
static void printDevices(const WeftProgram &programs) {
  for (auto [isa, name, archive] :
       {std::tuple{WEFT_ISA_CUDA, "CUDA devices", cudaArchive()},
        {WEFT_ISA_CUDA_EMULATED, "an emulated device", emulatorArchive()}}) {
    const WeftProgram *program = programFor(programs, isa);
    if (!program || !archive)
      continue;
    printf("kernels for %s\n", name);
    Result<std::string> driver = archive->driver();
    Result<std::vector<DeviceFacts>> devices =
        driver ? archive->list() : Result<std::vector<DeviceFacts>>(driver.error());
    if (!devices) {
      printf("  none to be used here: %s\n", devices.error().message.c_str());
      continue;
    }
    for (const DeviceFacts &device : *devices) {
      Result<std::string> fits = archive->fits(*program, device);
      printf("  %s: %s%scompute capability %d.%d, %s; %s\n", device.name.c_str(),
             device.model.c_str(), device.model.empty() ? "" : ", ", device.major, device.minor,
             bytesText(device.memory).c_str(),
             fits ? ("runs " + *fits).c_str() : fits.error().message.c_str());
    }
  }
}

/// What entries and trainings take of this machine's memory at the sizes of --set. What these do
/// not settle is left out.
static Result<int> printMemory(Model &model, const std::vector<SizeSetting> &sizes) {
  const Facts &facts = model.facts;
  Status why = success();
  bool any = false;
  auto print = [&](const std::string &name, const MemoryUse &use) {
    printf("%s%s\n%s", any ? "\n" : "", name.c_str(), use.table("").c_str());
    any = true;
  };
  for (size_t i = 0; i < facts.entries.size(); ++i) {
    EntryKind kind = facts.entries[i].kind;
    if (kind == EntryKind::Update)
      continue; // of a training
    EntryRun run(model, static_cast<int>(i));
    Status said = success();
    for (size_t j = 0; j < sizes.size() && said; ++j)
      said = run.setSize(sizes[j].dimension, sizes[j].size, "--set");
    Result<Sizes> settled = said ? run.settle() : Result<Sizes>(said.error());
    if (!settled) {
      why = settled.error();
      continue;
    }
    MemoryUse use = memoryNow(model, isWeight);
    use.alternate(run.memoryAt(*settled));
    print(facts.entries[i].name, use);
  }
  TrainSettings settings;
  settings.evaluateEvery = 0; // there is no data to hold any out
  if (facts.trains())
    for (const Training &training : facts.trainings)
      if (auto use = trainingMemory(model, training, RandomBatches(sizes), settings, 1, false))
        print(training.name, *use);
  if (!any && !why)
    return why.error();
  return 0;
}

static Result<int> printInfo(Model &model, const Options &options) {
  const Facts &facts = model.facts;
  if (options.has("set")) {
    Result<std::vector<SizeSetting>> sizes = readSizeSettings(options);
    if (!sizes)
      return sizes.error();
    return printMemory(model, *sizes);
  }
  if (options.has("json")) {
    printf("%.*s\n", static_cast<int>(model.program.json_size), model.program.json);
    return 0;
  }
  int64_t trained = 0, bytes = 0, states = 0;
  for (const Parameter &parameter : facts.parameters) {
    int64_t count = elementCount(facts, parameter);
    if (parameter.kind == ParameterKind::Parameter) {
      trained += count;
      bytes += count * bytesOf(parameter.element);
    }
    states += parameter.kind == ParameterKind::State ? count : 0;
  }
  printf("%s%s%s\n", facts.source.c_str(), facts.config.empty() ? "" : ", config ",
         facts.config.c_str());
  printf("%lld parameters (%.1f MB)", wide(trained), static_cast<double>(bytes) * 1e-6);
  if (states > 0)
    printf(" and %lld numbers of state", wide(states));
  if (model.carried)
    printf(", carried in this file%s%s", packedText(facts).c_str(), companions(*model.carried));
  printf("\n");
  if (model.isa < setsOfProcessors) {
    printf("kernels for %s", isaName(model.isa));
    if (facts.cores)
      printf(" with work for %lld cores", wide(*facts.cores));
    if (facts.precision != "float32")
      printf(", precision %s", facts.precision.c_str());
    if (auto tuned = facts.tuned.find(isaName(model.isa)); tuned != facts.tuned.end())
      printf(", %lld tuned", wide(tuned->second));
    if (!facts.weights.empty())
      printf(", weights as %s", facts.weights.c_str());
    printf(", %d threads\n", model.pool->threads());
  }
  printDevices(model.programs);
  printf("\ndimensions\n");
  for (const Dimension &dimension : facts.dims)
    printDimension(dimension);
  printf("\nentries\n");
  for (const Entry &entry : facts.entries) {
    printf("  %s\n", entry.name.c_str());
    if (entry.kind == EntryKind::Update && !options.has("all"))
      continue; // its arguments are the parameters once more
    printArguments(facts, "in", entry.inputs);
    printArguments(facts, "out", entry.outputs);
  }
  if (options.has("all")) {
    printf("\nparameters\n");
    for (const Parameter &parameter : facts.parameters)
      printf("  %-40s %s %s\n", parameter.name.c_str(), facts.dimNames(parameter.dims).c_str(),
             shapeText(stackedShape(facts, parameter)).c_str());
  }
  for (const Training &training : facts.trainings)
    printf("\n%s: %s%s%s\n", facts.trains() ? "train" : "evaluate", training.name.c_str(),
           training.dataKind.empty() ? "" : " on data of kind ", training.dataKind.c_str());
  for (const Decoding &decoding : facts.decodings)
    printf("generate: %s continues `%s` along %s\n", decoding.name.c_str(),
           decoding.argument.c_str(),
           decoding.dim >= 0 ? facts.dims[decoding.dim].name.c_str() : "?");
  return 0;
}

Command weft::runtime::infoCommand() {
  return {"info",
          "what the program is: entries, dimensions, parameters, kernels",
          "Describes the program.",
          {{"all", "", "every parameter too"},
           {"set", "DIM=N,...", "what runs at these sizes take of the machine's memory, instead"},
           {"json", "", "the facts as JSON (docs/abi.md)"}},
          printInfo,
          false};
}
