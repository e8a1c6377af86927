// Every case of the record through compiled programs: outputs, intermediate values, gradients.
#include "Compiled.h"
#include "Largest.h"
#include "tests/frontend/lower/Probes.h"
#include "tests/record/RecordedData.h"

#include <cmath>

using namespace mlir;
using namespace weft;
using namespace weft::test;
using reference::Array;
using reference::NamedArrays;

namespace {

class Record : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  Record() : AgainstRecord("seeds") {}

  void agree(const std::string &kind, const std::string &name, Array found, Array recorded,
             double bound, double group) {
    leaveOutFills(found, recorded);
    double far = difference(found, recorded, 0.01 * group);
    largest().add(kind, far, fmt::format("{} {}", GetParam().file, name), GetParam().program);
    EXPECT_LE(far, bound) << kind << " " << name;
  }

  void compareResults(Compiled &compiled, const Prepared &prepared, const Tensors &tensors);
  void compareGradients(Compiled &compiled, Prepared &prepared, const std::string &symbol,
                        const Tensors &tensors);
};

/// The largest magnitude among the finite numbers of tensors whose names start with `prefix`.
double magnitude(const Tensors &tensors, const std::string &prefix) {
  double most = 0;
  for (auto &[name, tensor] : tensors) {
    if (!name.starts_with(prefix))
      continue;
    Array array = asFloats(tensor);
    for (double value : array.floats())
      if (std::isfinite(value) && value > -1e6)
        most = std::max(most, std::abs(value));
  }
  return most;
}

void Record::compareResults(Compiled &compiled, const Prepared &prepared, const Tensors &tensors) {
  const System &system = GetParam();
  double group = magnitude(tensors, "out.");
  compiled.setParameters(prepared.parameters);
  NamedArrays results = compiled.run(system.entry, prepared.inputs), after = compiled.parameters();
  NamedArrays seen;
  if (compiled.has(observed)) {
    compiled.setParameters(prepared.parameters);
    seen = compiled.run(observed, prepared.inputs);
  }
  for (const Compared &compared : system.compared) {
    bool isFirst = &compared == &system.compared.front(), isPath = !compared.type.empty();
    std::string result = Prepared::resultOf(system, compared);
    NamedArrays &from = isPath ? seen : results.contains(result) ? results : after;
    ASSERT_TRUE(from.contains(result)) << compared.result;
    agree(isFirst ? "outputs" : "intermediates", compared.result, from[result],
          recordedFor(compared, tensors), 1e-5, group);
  }
}

void Record::compareGradients(Compiled &compiled, Prepared &prepared, const std::string &symbol,
                              const Tensors &tensors) {
  const System &system = GetParam();
  double group = magnitude(tensors, "grad.");
  compiled.setParameters(prepared.parameters);
  NamedArrays results = compiled.run(symbol + ".gradient", prepared.inputs);
  size_t compared = 0;
  NamedArrays parameters = prepared.load("grad.param.");
  ASSERT_EQ(prepared.problem, "");
  for (auto &entry : parameters) {
    ASSERT_TRUE(results.contains(entry.getKey())) << entry.getKey().str();
    agree("gradients", entry.getKey().str(), results[entry.getKey()], entry.getValue(), 1e-4,
          group);
    ++compared;
  }
  // One recorded tensor may be several arguments (query, key and value of self-attention): their
  // gradients add up.
  std::map<std::string, Array> sums;
  for (auto &input : prepared.inputs) {
    std::string name = input.getKey().str(), recorded = "grad." + tensorOf(system, name);
    if (!tensors.contains(recorded))
      continue;
    ASSERT_TRUE(results.contains(name)) << name;
    auto [sum, isNew] = sums.try_emplace(recorded, results[name]);
    for (size_t i = 0; !isNew && i < sum->second.floats().size(); ++i)
      std::get<reference::Floats>(sum->second.data)[i] += results[name].floats()[i];
  }
  for (auto &[name, sum] : sums) {
    agree("gradients", name, sum, tensors.at(name), 1e-4, group);
    ++compared;
  }
  EXPECT_GT(compared, 0u);
}

TEST_P(Record, IsReproduced) {
  const System &system = GetParam();
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  std::string symbol = prepared.function.getSymName().str();
  std::vector<std::string> gradientsOf;
  if (hasGradients(system, tensors)) {
    if (system.compared.front().recorded.front() != "loss") {
      symbol = addProbe(prepared.function);
      prepared.inputs["probe"] = tensors.at("in.probe");
    }
    gradientsOf.push_back(symbol);
  }
  ASSERT_TRUE(prepared.lower(gradientsOf)) << prepared.problem;
  try {
    Compiled compiled(*prepared.module);
    compareResults(compiled, prepared, tensors);
    if (!gradientsOf.empty())
      compareGradients(compiled, prepared, symbol, tensors);
    largest().addFile(system.file);
  } catch (const std::exception &problem) {
    FAIL() << problem.what() << "\n" << prepared.problem;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, Record, testing::ValuesIn(systems()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
