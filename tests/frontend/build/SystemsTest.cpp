// Every system of the record, built from its draft and run in float64, against the recorded
// tensors.
#include "Systems.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

class Systems : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  Systems() : AgainstRecord("seeds") {}
};

TEST_P(Systems, AreAsRecorded) {
  const System &system = GetParam();
  Tensors tensors = tensorsOf(system);
  Prepared prepared(system, tensors);
  ASSERT_EQ(prepared.problem, "");
  reference::NamedResults results = prepared.run(prepared.function.getSymName(), prepared.inputs);
  ASSERT_EQ(prepared.problem, "");
  for (const Compared &compared : system.compared) {
    auto &from = results.outputs.contains(compared.result) ? results.outputs : results.parameters;
    ASSERT_TRUE(from.contains(compared.result)) << compared.result;
    std::vector<reference::Array> recorded;
    for (const std::string &name : compared.recorded)
      recorded.push_back(tensors.at(name));
    double far =
        difference(from[compared.result], recorded.size() == 1 ? recorded[0] : stacked(recorded));
    fmt::print("{:24} {:32} {:28} {:.1e}\n", system.system, system.file, compared.result, far);
    EXPECT_LE(far, system.bound) << compared.result;
  }
}

INSTANTIATE_TEST_SUITE_P(Record, Systems, testing::ValuesIn(systems()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
