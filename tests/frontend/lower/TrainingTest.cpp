// Recorded trainings, replayed in float64 by what `minimize` derives: gradients of a batch, then
// the update.
#include "Trainings.h"
#include "ir/model/Entries.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace weft;
using namespace weft::test;

namespace {

/// Batch `step` of a tensor whose first dimension counts steps.
reference::Array batch(const reference::Array &all, int64_t step, double divisor) {
  reference::Array part = asFloats(all);
  part.shape.erase(part.shape.begin());
  int64_t count = reference::countOf(part.shape);
  auto begin = part.floats().begin() + step * count;
  reference::Floats values(begin, begin + count);
  for (double &value : values)
    value /= divisor;
  part.data = std::move(values);
  return part;
}

reference::Array number(int64_t value) {
  return {{}, reference::Wholes{value}};
}

class Training : public AgainstRecord<testing::TestWithParam<RecordedTraining>> {
protected:
  Training() : AgainstRecord("seeds") {}
};

TEST_P(Training, IsAsRecorded) {
  const RecordedTraining &recorded = GetParam();
  Tensors tensors = tensorsOf(recorded.system);
  Prepared run(recorded.system, tensors);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(run.lower()) << run.problem;
  auto gradient = run.module->lookupSymbol<func::FuncOp>("train.gradient");
  ASSERT_TRUE(gradient);

  int64_t steps = tensors.at("out.loss").shape[0];
  Deviation worst;
  for (int64_t step = 0; step < steps; ++step) {
    reference::NamedArrays inputs;
    for (unsigned i = 0; i < gradient.getNumArguments(); ++i) {
      std::string name = reference::inputName(gradient, i);
      auto type = gradient.getArgumentTypes()[i];
      bool isImage = cast<model::NamedTensorType>(type).isFloat();
      inputs[name] =
          asArgument(batch(tensors.at("in." + name), step, isImage ? recorded.divisor : 1), type);
    }
    reference::NamedResults results = run.run("train.gradient", std::move(inputs));
    ASSERT_EQ(run.problem, "");
    for (auto &parameter : results.parameters)
      run.parameters[parameter.getKey()] = parameter.getValue();
    double loss = results.outputs[reference::outputName(gradient, 0)].floats()[0];

    reference::NamedArrays gradients;
    for (unsigned i = 0; i < gradient.getNumResults(); ++i)
      if (auto of = gradient.getResultAttrOfType<StringAttr>(i, model::attr::gradientOf))
        gradients[of.getValue()] = results.outputs[reference::outputName(gradient, i)];
    if (step == 0)
      for (auto &first : run.load("grad1."))
        if (!recorded.isNoise(first.getKey()))
          EXPECT_LE(difference(gradients[first.getKey()], first.getValue()), 1e-6)
              << first.getKey().str();
    ASSERT_EQ(run.problem, "");
    gradients["step"] = number(step + 1);
    gradients["steps"] = number(steps);
    reference::NamedResults updated = run.run("train.update", std::move(gradients));
    ASSERT_EQ(run.problem, "");
    for (auto &parameter : updated.parameters)
      run.parameters[parameter.getKey()] = parameter.getValue();
    worst.add(tensors, step, loss, updated.outputs["norm"].floats()[0],
              updated.outputs["rate"].floats()[0]);
  }
  EXPECT_LE(worst.loss, 1e-8);
  EXPECT_LE(worst.norm, 1e-8);
  EXPECT_LE(worst.rate, 1e-12);
  for (auto &final : run.load("final."))
    if (!recorded.isNoise(final.getKey())) {
      double far = difference(run.parameters[final.getKey()], final.getValue());
      worst.parameters = std::max(worst.parameters, far);
      EXPECT_LE(far, 1e-6) << final.getKey().str();
    }
  ASSERT_EQ(run.problem, "");
  fmt::print("{}: {} steps, {}\n", recorded.system.file, steps, worst.text());
}

INSTANTIATE_TEST_SUITE_P(Record, Training,
                         testing::Values(recordedGpt(), recordedTranslation(), recordedImages()),
                         [](const auto &info) { return testName(info.param.system, info.index); });

} // namespace
