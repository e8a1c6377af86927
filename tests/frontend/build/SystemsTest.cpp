// Every system of the record, built from its draft and run in float64, against the recorded
// tensors.
#include "Systems.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft::test;

namespace {

class Systems : public testing::TestWithParam<System> {};

TEST_P(Systems, AreAsRecorded) {
  auto folder = dataFolder();
  if (!folder)
    GTEST_SKIP() << "WEFT_DATA names no folder with recorded tensors";
  const System &system = GetParam();
  Tensors tensors = readTensors(*folder / "seeds" / (system.file + ".safetensors"));
  for (auto &[name, tensor] : Tensors(tensors)) // states are inputs in the files
    if (name.starts_with("in.") && name.find("running_") != name.npos)
      tensors[system.prefix + name.substr(3)] = tensor;
  if (system.file == "000-encoder-block") // recorded without a mask
    tensors["in.mask"] = {{2, 7, 7}, weft::reference::Switches(2 * 7 * 7, 1)};

  Outcome outcome = run(system, tensors);
  ASSERT_EQ(outcome.problem, "");
  for (const Compared &compared : system.compared) {
    auto &from = outcome.outputs.contains(compared.result) ? outcome.outputs : outcome.parameters;
    ASSERT_TRUE(from.contains(compared.result)) << compared.result;
    std::vector<weft::reference::Array> recorded;
    for (const std::string &name : compared.recorded)
      recorded.push_back(tensors.at(name));
    double far =
        difference(from[compared.result], recorded.size() == 1 ? recorded[0] : stacked(recorded));
    fmt::print("{:24} {:32} {:28} {:.1e}\n", system.system, system.file, compared.result, far);
    EXPECT_LE(far, system.bound) << compared.result;
  }
}

std::string nameOf(const testing::TestParamInfo<System> &info) {
  std::string name = fmt::format("{}_{}_{}", info.index, info.param.file, info.param.entry);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Record, Systems, testing::ValuesIn(systems()), nameOf);

} // namespace
