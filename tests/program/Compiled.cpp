// Stages, objects, a shared object, dlopen.
#include "Compiled.h"

#include "codegen/host/Link.h"
#include "passes/Passes.h"
#include "passes/Pipeline.h"
#include "runtime/machine/Isa.h"
#include "runtime/model/EntryRun.h"
#include "runtime/model/Slices.h"
#include "tools/arrays/ArrayMemory.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <stdexcept>

using namespace mlir;

namespace weft::test {
namespace {

using reference::Array;

void need(bool good, const std::string &what) {
  if (!good)
    throw std::runtime_error(what);
}

template <class T> T need(runtime::Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().message);
  return std::move(*result);
}

void need(const runtime::Status &status) {
  if (!status)
    throw std::runtime_error(status.error().message);
}

} // namespace

/// Appends the plan stage in which no value lies where another does.
static LogicalResult addPlanOfOwnBuffers(PassManager &manager) {
  if (failed(parsePassPipeline("weft-build-plan{share=false}", manager)))
    return failure();
  VerifyStageOptions verify;
  verify.stage = "plan";
  manager.addPass(createVerifyStage(verify));
  return success();
}

Compiled::Compiled(ModuleOp module, CompiledOptions options) {
  static const bool registered = (registerPipeline(), true);
  (void)registered;
  const char *named = std::getenv("WEFT_TEST_TARGET");
  const Target *target = options.target ? options.target
                         : named        ? targetNamed(named)
                                        : targets().front();
  need(target, "no target of the name in WEFT_TEST_TARGET");
  for (const Stage &stage : llvm::drop_begin(stages())) {
    PassManager manager(module.getContext());
    LogicalResult added =
        stage.name == "plan" && !options.share
            ? addPlanOfOwnBuffers(manager)
            : addStage(manager, stage.name,
                       {.notForTarget = target->passesLeftOut(), .machines = target->schedules()});
    need(succeeded(added) && succeeded(manager.run(module)),
         "stage " + stage.name.str() + " fails");
  }
  std::string best; // of its instruction sets, the last one that this machine runs and gains by
  for (StringRef set : target->instructionSets())
    for (int isa = 0; isa < WEFT_ISA_COUNT; ++isa)
      if (set == runtime::isaName(isa) && runtime::machineGainsBy(isa) && runtime::machineRuns(isa))
        best = set.str();
  auto objects = target->emit(module, objectForm, best, CodeEffort::full);
  need(succeeded(objects), "no code");
  std::string name = (std::filesystem::temp_directory_path() / "weft-compiled-XXXXXX").string();
  need(mkdtemp(name.data()) != nullptr, "no temporary folder");
  folder = name;
  // What runs its kernels on a device is linked into this program.
  LinkedProgram linked = link(*objects, {.name = "program.so",
                                         .archives = {WEFT_RUNTIME},
                                         .whole = {},
                                         .needed = {},
                                         .shared = true});
  if (linked.problem)
    throw std::runtime_error(*linked.problem);
  std::string path = (folder / "program.so").string();
  std::ofstream(path, std::ios::binary)
      .write(linked.bytes.data(), static_cast<std::streamsize>(linked.bytes.size()));
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  need(library != nullptr, library ? "" : dlerror());
  auto *program = static_cast<const WeftProgram *>(dlsym(library, "weft_program"));
  need(program != nullptr, "no weft_program");
  model = need(runtime::Model::open(*program, {.threads = options.threads}));
  model->parameters.initialize(*model->pool, 0);
}

Compiled::~Compiled() {
  model.reset();
  if (library)
    dlclose(library);
  std::filesystem::remove_all(folder);
}

void Compiled::setParameters(const reference::NamedArrays &parameters) {
  for (auto &entry : parameters) {
    int number = model->facts.parameter(entry.getKey());
    if (number < 0)
      continue; // of an entry that was not built
    const runtime::Parameter &parameter = model->facts.parameters[number];
    std::vector<int64_t> shape = runtime::stackedShape(model->facts, parameter);
    need(reference::countOf(shape) == reference::countOf(entry.getValue().shape),
         "the shape of " + parameter.name);
    storeArray(entry.getValue(), parameter.element, model->parameters.data(number));
  }
  model->parameters.changed();
}

reference::NamedArrays Compiled::parameters() const {
  reference::NamedArrays all;
  for (size_t i = 0; i < model->facts.parameters.size(); ++i) {
    const runtime::Parameter &parameter = model->facts.parameters[i];
    all[parameter.name] = loadArray(runtime::stackedShape(model->facts, parameter),
                                    parameter.element, model->parameters.data(static_cast<int>(i)));
  }
  return all;
}

reference::NamedArrays Compiled::run(const std::string &entry, const reference::NamedArrays &inputs,
                                     const llvm::StringMap<int64_t> &sizes) {
  runtime::EntryRun run(*model, need(model->entry(entry)));
  const std::vector<runtime::Argument> &arguments = run.entry().inputs,
                                       &results = run.entry().outputs;
  auto given = [&](const runtime::Argument &argument) -> const Array & {
    auto found = inputs.find(argument.name);
    need(found != inputs.end(), "no input " + argument.name);
    return found->second;
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Array &array = given(arguments[i]);
    need(run.bindShape(static_cast<int>(i), {array.shape.begin(), array.shape.end()},
                       "input " + arguments[i].name));
  }
  for (auto &size : sizes)
    need(run.setSize(std::string_view(size.getKey()), size.getValue(), "the test"));
  need(run.allocate());
  for (size_t i = 0; i < arguments.size(); ++i)
    storeArray(given(arguments[i]), arguments[i].element, run.input(static_cast<int>(i)));
  need(run.run());
  reference::NamedArrays outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    int number = static_cast<int>(i);
    const std::string &of = results[i].gradientOf;
    outputs[of.empty() ? results[i].name : of] =
        loadArray(run.outputShape(number), results[i].element, run.output(number));
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].cache)
      outputs[arguments[i].name] = loadArray(run.inputShape(static_cast<int>(i)),
                                             arguments[i].element, run.input(static_cast<int>(i)));
  return outputs;
}

} // namespace weft::test
