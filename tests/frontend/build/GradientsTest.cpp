// Gradients of every system of the record, derived by the compiler and run in float64, against the
// recorded ones.
#include "Systems.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace weft;
using namespace weft::test;

namespace {

/// Systems whose file has gradients of what the entry gives: its loss, or its output times
/// `in.probe`.
std::vector<System> differentiable() {
  std::vector<System> found;
  if (!std::filesystem::exists(recordedData("seeds")))
    return systems(); // skipped, with the reason
  for (const System &system : systems()) {
    Tensors tensors = tensorsOf(system);
    const std::string &recorded = system.compared.front().recorded.front();
    bool hasGradients = tensors.lower_bound("grad.") != tensors.end() &&
                        tensors.lower_bound("grad.")->first.starts_with("grad.");
    bool isProbed = recorded == "out.output" && tensors.contains("in.probe");
    if (hasGradients && (recorded == "loss" || isProbed))
      found.push_back(system);
  }
  return found;
}

/// Appends a function that gives sum(output * probe) of `entry`'s first result.
std::string addProbe(func::FuncOp entry) {
  func::FuncOp probed = entry.clone();
  std::string name = entry.getSymName().str() + ".probed";
  probed.setName(name);
  entry->getBlock()->push_back(probed);
  Operation *exit = probed.front().getTerminator();
  Value output = exit->getOperand(0);
  auto type = model::typeOf(output);
  OpBuilder builder(exit);
  Location loc = exit->getLoc();
  auto named = builder.getNamedAttr("weft.name", builder.getStringAttr("probe"));
  (void)probed.insertArgument(probed.getNumArguments(), type, builder.getDictionaryAttr(named),
                              loc);
  Value scalar = model::MulOp::create(builder, loc, output, probed.getArguments().back());
  SmallVector<Attribute> over(type.getDims().begin(), type.getDims().end());
  scalar = model::SumOp::create(builder, loc, builder.getArrayAttr(over), scalar);
  exit->setOperands(scalar);
  probed.setType(builder.getFunctionType(probed.getArgumentTypes(), scalar.getType()));
  return name;
}

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

INSTANTIATE_TEST_SUITE_P(Record, Gradients, testing::ValuesIn(differentiable()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
