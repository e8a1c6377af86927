// Gradients of every system of the record, derived by the compiler and run in float64, against the
// recorded ones.
#include "Probes.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace weft;
using namespace weft::test;

namespace {

class Gradients : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  Gradients() : AgainstRecord("seeds") {}
};

TEST_P(Gradients, AreAsRecorded) {
  const System &system = GetParam();
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  std::string symbol = prepared.function.getSymName().str();
  if (system.compared.front().recorded.front() != "loss") {
    symbol = addProbe(prepared.function);
    prepared.inputs["probe"] = tensors.at("in.probe");
  }
  ASSERT_TRUE(prepared.lower({symbol})) << prepared.problem;
  reference::NamedResults results = prepared.run(symbol + ".gradient", prepared.inputs);
  ASSERT_EQ(prepared.problem, "");

  size_t compared = 0;
  auto compare = [&](const std::string &name, const reference::Array &found,
                     const reference::Array &recorded) {
    double far = difference(found, recorded);
    EXPECT_LE(far, 1e-6) << name;
    ++compared;
  };
  reference::NamedArrays parameters = prepared.load("grad.param.");
  EXPECT_EQ(prepared.problem, "");
  for (auto &entry : parameters) {
    ASSERT_TRUE(results.outputs.contains(entry.getKey())) << entry.getKey().str();
    compare(entry.getKey().str(), results.outputs[entry.getKey()], entry.getValue());
  }
  // One recorded tensor may be several arguments (query, key and value of self-attention): their
  // gradients add up.
  std::map<std::string, reference::Array> sums;
  for (auto &input : prepared.inputs) {
    std::string name = input.getKey().str(), recorded = "grad." + tensorOf(system, name);
    if (!tensors.contains(recorded))
      continue;
    ASSERT_TRUE(results.outputs.contains(name)) << name;
    auto [sum, isNew] = sums.try_emplace(recorded, results.outputs[name]);
    for (size_t i = 0; !isNew && i < sum->second.floats().size(); ++i)
      std::get<reference::Floats>(sum->second.data)[i] += results.outputs[name].floats()[i];
  }
  for (auto &[name, sum] : sums)
    compare(name, sum, tensors.at(name));
  EXPECT_GT(compared, 0u);
}

/// Without what is recorded, all: they are skipped, with the reason.
std::vector<System> differentiable() {
  std::vector<System> found;
  for (const System &system : systems())
    if (!std::filesystem::exists(recordedData("seeds")) || hasGradients(system, tensorsOf(system)))
      found.push_back(system);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Record, Gradients, testing::ValuesIn(differentiable()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
