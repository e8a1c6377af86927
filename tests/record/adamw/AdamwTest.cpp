// A recorded trajectory of AdamW against the library's optimizer and the derived gradient, both in
// the interpreter.
#include "tests/frontend/lower/Built.h"
#include "tests/frontend/lower/Recorded.h"
#include "tests/record/RecordedData.h"

#include "ir/reference/Interpreter.h"
#include "passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

class Record : public AgainstRecord<> {
protected:
  Record() : AgainstRecord("numerics/adamw.safetensors") {}
};

TEST_F(Record, AThousandStepsOfAdamW) {
  Tensors recorded = readTensors(record);
  Built built(Built::File{WEFT_TESTS "/record/adamw.weft"}, {});
  ASSERT_TRUE(built.module) << built.errors();
  registerPipeline();
  mlir::PassManager manager(&built.context);
  ASSERT_TRUE(succeeded(addStage(manager, "model")) && succeeded(manager.run(*built.module)));

  reference::NamedArrays parameters;
  parameters["w"] = recorded["w0"];
  const reference::Floats &rows = recorded["x"].floats();
  double most = 0;
  int compared = 0;
  for (int64_t step = 1; step <= 1000; ++step) {
    reference::NamedRun gradient;
    gradient.parameters["w"] = parameters["w"];
    gradient.inputs["x"] = {
        {1, 3}, reference::Floats(rows.begin() + 3 * (step - 1), rows.begin() + 3 * step)};
    auto slope = reference::runInterpreted(*built.module, "train.gradient", std::move(gradient));
    ASSERT_TRUE(succeeded(slope));
    reference::NamedRun update;
    update.parameters = parameters;
    update.inputs["w"] = slope->outputs["w"];
    update.inputs["step"] = {{}, reference::Wholes{step}};
    update.inputs["steps"] = {{}, reference::Wholes{1000}};
    auto next = reference::runInterpreted(*built.module, "train.update", std::move(update));
    ASSERT_TRUE(succeeded(next));
    parameters = std::move(next->parameters);
    auto after =
        recorded.find(step == 1000 ? "pytorch_final" : fmt::format("pytorch_step{}", step));
    if (after == recorded.end())
      continue;
    ++compared;
    for (size_t i = 0; i < 6; ++i)
      most = std::max(most, std::abs(parameters["w"].floats()[i] - after->second.floats()[i]));
  }
  fmt::print("{} comparisons with the record, the largest difference {:.1e}\n", compared, most);
  EXPECT_GT(compared, 3);
  EXPECT_LE(most, 1e-5); // the record is in float32
}

} // namespace
