// Every system of the record, built from its draft and run in float64, against the recorded
// tensors.
#include "Probes.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace mlir;
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
  func::FuncOp seen = functionOf(*prepared.module, observed);
  StringRef symbol = (seen ? seen : prepared.function).getSymName();
  reference::NamedResults results = prepared.run(symbol, prepared.inputs);
  ASSERT_EQ(prepared.problem, "");
  for (const Compared &compared : system.compared) {
    std::string result = Prepared::resultOf(system, compared);
    auto &from = results.outputs.contains(result) ? results.outputs : results.parameters;
    ASSERT_TRUE(from.contains(result)) << compared.result;
    reference::Array found = from[result], recorded = recordedFor(compared, tensors);
    leaveOutFills(found, recorded);
    double far = difference(found, recorded);
    fmt::print("{:24} {:32} {:28} {:.1e}\n", system.system, system.file, compared.result, far);
    EXPECT_LE(far, system.bound) << compared.result;
  }
}

INSTANTIATE_TEST_SUITE_P(Record, Systems, testing::ValuesIn(systems()),
                         [](const auto &info) { return testName(info.param, info.index); });

} // namespace
