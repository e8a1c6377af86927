// A recorded training, done again by a compiled program through its own command: `OUT train --data
// tensors:FILE`.
#include "Sample.h"
#include "ir/model/Dims.h"
#include "tests/frontend/lower/Trainings.h"
#include "tests/record/RecordedData.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

/// How far a compiled training may be from the record. The figures of a step are relative, rates
/// absolute.
struct Bounds {
  double loss = 1e-5, norm = 1e-4, rate = 1e-9;
  /// Of the parameters in the end. Adam's division by small second moments makes rounding visible:
  /// the recorded float32 run of train-seq2seq is itself 4e-5 away.
  double parameters = 1e-4;
  /// The same, where magnitudes below 1 count as 1: biases are small, and begin as rounding.
  double unit = 1e-4;
  double gradients = 1e-4; ///< of the first step
};

struct Replay {
  RecordedTraining recorded;
  Bounds bounds;
  size_t states = 0; ///< how many tensors are no parameters: running statistics
  /// What follows noise: the running mean of what a bias without gradient shifts is shifted as far.
  std::string shifted = "";
};

void PrintTo(const Replay &replay, std::ostream *out) {
  PrintTo(replay.recorded, out);
}

/// A parameter of a checkpoint, which has one tensor for each pass of a loop.
reference::Array ofCheckpoint(const Tensors &tensors, const std::string &name,
                              const std::string &loop) {
  if (auto found = tensors.find(name); found != tensors.end())
    return found->second;
  size_t at = name.find(loop + ".") + loop.size();
  std::vector<reference::Array> passes;
  for (int i = 0; tensors.contains(name.substr(0, at) + fmt::format(".{}", i) + name.substr(at));
       ++i)
    passes.push_back(tensors.at(name.substr(0, at) + fmt::format(".{}", i) + name.substr(at)));
  if (passes.empty())
    throw std::runtime_error("the checkpoint has no " + name);
  return stacked(passes);
}

std::string loopOf(const std::string &name) {
  for (const char *loop : {"layer", "below", "above"})
    if (name.find(std::string(loop) + ".") != name.npos)
      return loop;
  return "";
}

class TrainProgram : public AgainstRecord<testing::TestWithParam<Replay>> {
protected:
  TrainProgram() : AgainstRecord("seeds") {}
};

/// The inputs of all steps, as `loss` takes them: pixels are recorded as bytes.
Tensors inputsOf(const RecordedTraining &recorded, mlir::func::FuncOp loss,
                 const Tensors &tensors) {
  Tensors inputs;
  for (unsigned i = 0; i < loss.getNumArguments(); ++i) {
    std::string name = reference::inputName(loss, i);
    const reference::Array &tensor = tensors.at("in." + name);
    reference::Array input = tensor;
    if (name == "image") {
      reference::Floats pixels = asFloats(tensor).floats();
      for (double &pixel : pixels)
        pixel /= recorded.divisor;
      input.data = std::move(pixels);
    }
    inputs[name] = std::move(input);
  }
  return inputs;
}

/// The recorded parameters, and what states begin with, which a file of weights has too.
reference::NamedArrays withStates(const Prepared &prepared) {
  reference::NamedArrays all = prepared.parameters;
  model::Dims dims(*prepared.module);
  for (auto parameter : mlir::ModuleOp(*prepared.module).getOps<model::ParameterOp>()) {
    if (parameter.getKind() != model::ParameterKind::state || all.contains(parameter.getSymName()))
      continue;
    reference::Array state;
    for (model::DimAttr dim : parameter.getTensor().getDims())
      state.shape.push_back(*dims.size(dim).constant());
    state.data =
        reference::Floats(reference::countOf(state.shape), parameter.getValue().convertToDouble());
    all[parameter.getSymName()] = std::move(state);
  }
  return all;
}

/// What every tensor holds of the first step.
Tensors firstOf(const Tensors &all) {
  Tensors first;
  for (const auto &[name, tensor] : all) {
    reference::Array &part = first[name] = tensor;
    part.shape.erase(part.shape.begin());
    std::visit([&](auto &data) { data.resize(reference::countOf(part.shape)); }, part.data);
  }
  return first;
}

TEST_P(TrainProgram, TrainsAsRecorded) {
  const RecordedTraining &recorded = GetParam().recorded;
  const Bounds &bounds = GetParam().bounds;
  const System &system = recorded.system;
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  fs::path folder =
      fs::temp_directory_path() / fmt::format("weft-train-{}-{}", system.file, getpid());
  fs::create_directories(folder);
  writeFloats(withStates(prepared), folder / "init");
  Tensors inputs = inputsOf(recorded, functionOf(*prepared.module, "train.loss"), tensors);
  writeTensors(inputs, folder / "batches");
  std::string program = (folder / "program").string();
  int64_t steps = tensors.at("out.loss").shape[0];
  ASSERT_TRUE(does(fmt::format("{} build {} --set {} -o {}", WEFT_TOOL, programFile(system.program),
                               system.settings, program),
                   folder));
  std::string init = (folder / "init").string(), batches = (folder / "batches").string();
  ASSERT_TRUE(does(fmt::format("{} train --data tensors:{} --init {} --steps {} --out {} --quiet",
                               program, batches, init, steps, (folder / "out").string()),
                   folder));

  std::ifstream log(folder / "out/log.jsonl");
  int64_t step = 0;
  Deviation worst;
  for (std::string line; std::getline(log, line);) {
    auto row = nlohmann::json::parse(line);
    if (!row.contains("loss") || !row.contains("norm"))
      continue;
    ASSERT_LT(step, steps);
    worst.add(tensors, step++, row["loss"], row["norm"], row["rate"]);
  }
  EXPECT_EQ(step, steps);
  EXPECT_LE(worst.loss, bounds.loss);
  EXPECT_LE(worst.norm, bounds.norm);
  EXPECT_LE(worst.rate, bounds.rate);
  Tensors last = readTensors(folder / fmt::format("out/step-{}/parameters.safetensors", steps));
  size_t states = 0;
  for (auto &final : prepared.load("final.")) {
    std::string name = final.getKey().str();
    states += name.find("running_") != name.npos;
    reference::Array found = ofCheckpoint(last, name, loopOf(name));
    EXPECT_EQ(found.shape, final.getValue().shape) << name;
    if (recorded.isNoise(name))
      continue;
    if (name == GetParam().shifted) {
      EXPECT_LE(difference(found, final.getValue(), 1), 1e-2) << name;
      continue;
    }
    double far = difference(found, final.getValue());
    worst.parameters = std::max(worst.parameters, far);
    EXPECT_LE(far, bounds.parameters) << name;
    EXPECT_LE(difference(found, final.getValue(), 1), bounds.unit) << name;
  }
  EXPECT_EQ(states, GetParam().states);
  ASSERT_EQ(prepared.problem, "");

  writeTensors(firstOf(inputs), folder / "first");
  ASSERT_TRUE(
      does(fmt::format("{} run --entry train.gradient --weights {} --inputs {} --outputs {} "
                       "--gradients {}",
                       program, init, (folder / "first").string(), (folder / "results").string(),
                       (folder / "gradients").string()),
           folder));
  Tensors gradients = readTensors(folder / "gradients");
  double gradient = 0;
  for (auto &first : prepared.load("grad1.")) {
    std::string name = first.getKey().str();
    if (recorded.isNoise(name) || name.find("running_") != name.npos)
      continue;
    double far = difference(ofCheckpoint(gradients, name, loopOf(name)), first.getValue());
    gradient = std::max(gradient, far);
    EXPECT_LE(far, bounds.gradients) << name;
  }
  fmt::print("{}: {} steps, {}, gradients of step 1 {:.1e}\n", system.file, steps, worst.text(),
             gradient);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(
    Record, TrainProgram,
    testing::Values(Replay{recordedGpt(), {.loss = 4e-7, .norm = 2e-6, .unit = 4.5e-6}},
                    Replay{recordedTranslation(), {.parameters = 3e-4, .unit = 3e-4}},
                    Replay{recordedImages(),
                           {.loss = 4e-6, .norm = 2e-5, .parameters = 5e-4, .unit = 2e-5},
                           2,
                           "head0.norm.running_mean"}),
    [](const auto &info) { return testName(info.param.recorded.system, info.index); });

} // namespace
