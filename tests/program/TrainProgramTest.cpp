// A recorded training, done again by a compiled program through its own command: `OUT train --data
// tensors:FILE`.
#include "Sample.h"
#include "tests/frontend/build/Systems.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

struct Recorded {
  System system;
  std::vector<std::string>
      noise; ///< parameters without a gradient: Adam makes steps of its rounding
  /// How far parameters may be from the float64 run. Adam's division by small second moments makes
  /// rounding visible: the recorded float32 run of train-seq2seq is itself 4e-5 away.
  double parameters = 1e-4;
};

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

class TrainProgram : public testing::TestWithParam<Recorded> {};

TEST_P(TrainProgram, TrainsAsRecorded) {
  auto data = dataFolder();
  if (!data)
    GTEST_SKIP() << "WEFT_DATA names no folder with recorded tensors";
  const Recorded &recorded = GetParam();
  const System &system = recorded.system;
  Tensors tensors = tensorsOf(system, *data);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  fs::path folder =
      fs::temp_directory_path() / fmt::format("weft-train-{}-{}", system.file, getpid());
  fs::create_directories(folder);
  writeFloats(prepared.parameters, folder / "init");
  std::string program = (folder / "program").string();
  int64_t steps = tensors.at("out.loss").shape[0];
  ASSERT_TRUE(
      does(fmt::format("{} build " WEFT_SOURCE "/tests/frontend/systems/{}.weft --set {} -o {}",
                       WEFT_TOOL, system.program, system.settings, program),
           folder));
  ASSERT_TRUE(does(fmt::format("{} train --data tensors:{} --init {} --steps {} --out {} --quiet",
                               program, (*data / "seeds" / (system.file + ".safetensors")).string(),
                               (folder / "init").string(), steps, (folder / "out").string()),
                   folder));

  std::ifstream log(folder / "out/log.jsonl");
  int64_t step = 0;
  double worstLoss = 0, worstNorm = 0, worst = 0;
  for (std::string line; std::getline(log, line);) {
    auto row = nlohmann::json::parse(line);
    if (!row.contains("loss") || !row.contains("norm"))
      continue;
    worstLoss = std::max(
        worstLoss, std::abs(row["loss"].get<double>() / tensors.at("out.loss").floats()[step] - 1));
    worstNorm = std::max(
        worstNorm,
        std::abs(row["norm"].get<double>() / tensors.at("out.grad_norm").floats()[step] - 1));
    ++step;
  }
  EXPECT_EQ(step, steps);
  EXPECT_LE(worstLoss, 1e-5);
  EXPECT_LE(worstNorm, 1e-4);
  Tensors last = readTensors(folder / fmt::format("out/step-{}/parameters.safetensors", steps));
  for (auto &final : prepared.load("final.")) {
    std::string name = final.getKey().str();
    if (llvm::any_of(recorded.noise, [&](const std::string &end) { return name.ends_with(end); }))
      continue;
    double far = difference(ofCheckpoint(last, name, loopOf(name)), final.getValue());
    worst = std::max(worst, far);
    EXPECT_LE(far, recorded.parameters) << name;
  }
  fmt::print("{}: {} steps, loss {:.1e}, gradient norm {:.1e}, parameters {:.1e}\n", system.file,
             steps, worstLoss, worstNorm, worst);
  fs::remove_all(folder);
}

std::vector<Recorded> trainings() {
  auto system = [](std::string program, std::string file, std::string settings,
                   std::string clause) {
    System made{program, program, "train", file, settings};
    made.clause = clause;
    made.prefix = "init.";
    return made;
  };
  return {
      {system("gpt", "train-gpt", "vocab=65,position=16,model=32,head=4,ff=128,layer=2", "small"),
       {"attn.k.bias"}},
      {system("translation", "train-seq2seq",
              "svocab=194,tvocab=214,model=32,head=4,ff=16,below=2,above=2,pad=5,rate=0", ""),
       {},
       3e-4}};
}

INSTANTIATE_TEST_SUITE_P(Record, TrainProgram, testing::ValuesIn(trainings()),
                         [](const auto &info) { return testName(info.param.system, info.index); });

} // namespace
