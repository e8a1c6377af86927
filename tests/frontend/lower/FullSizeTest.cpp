// Systems of the record at their full sizes, in float64, after the passes of the model stage.
#include "FullSizes.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

class FullSize : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  FullSize() : AgainstRecord("seeds") {}
};

TEST_P(FullSize, IsAsRecorded) {
  const System &system = GetParam();
  nlohmann::json summary = readSummary(system);
  Tensors tensors = tensorsOf(system, summary);
  Prepared run(system, tensors);
  ASSERT_EQ(run.problem, "");
  tensors.clear(); // a large one is most of the memory
  ASSERT_TRUE(run.lower()) << run.problem;
  auto results = run.run(run.function.getSymName(), std::move(run.inputs));
  ASSERT_EQ(run.problem, "");
  for (const Compared &compared : system.compared) {
    double far = farFrom(results.outputs[compared.result],
                         summary.at("outputs").at(compared.recorded.front()));
    fmt::print("{:20} {:20} {:20} {:.1e}\n", system.system, system.file, compared.recorded.front(),
               far);
    EXPECT_LE(far, system.bound) << compared.result;
  }
}

/// Without the intermediate values, which compiled programs give (RecordTest).
std::vector<System> results() {
  std::vector<System> all = fullSizes();
  for (System &system : all)
    std::erase_if(system.compared, [](const Compared &each) { return !each.type.empty(); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Record, FullSize, testing::ValuesIn(results()), [](const auto &info) {
  std::string name = info.param.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
