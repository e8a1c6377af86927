// Recorded trainings, replayed in float64 by what `minimize` derives: gradients of a batch, then
// the update.
#include "Systems.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace weft;
using namespace weft::test;

namespace {

struct Recorded {
  System system;
  /// Parameters whose gradient is zero in exact arithmetic: Adam makes steps of its rounding.
  std::vector<std::string> noise;
  double divisor = 1; ///< images are bytes
};

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

bool isNoise(const Recorded &recorded, StringRef name) {
  return llvm::any_of(recorded.noise, [&](const std::string &end) { return name.ends_with(end); });
}

class Training : public testing::TestWithParam<Recorded> {};

TEST_P(Training, IsAsRecorded) {
  auto folder = dataFolder();
  if (!folder)
    GTEST_SKIP() << "WEFT_DATA names no folder with recorded tensors";
  const Recorded &recorded = GetParam();
  Tensors tensors = tensorsOf(recorded.system, *folder);
  Prepared run(recorded.system, tensors);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(run.lower()) << run.problem;
  auto gradient = run.module->lookupSymbol<func::FuncOp>("train.gradient");
  ASSERT_TRUE(gradient);

  int64_t steps = tensors.at("out.loss").shape[0];
  double worstLoss = 0, worstNorm = 0;
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
    double loss = results.outputs["output"].floats()[0];
    worstLoss = std::max(worstLoss, std::abs(loss / tensors.at("out.loss").floats()[step] - 1));

    reference::NamedArrays gradients;
    for (unsigned i = 0; i < gradient.getNumResults(); ++i)
      if (auto of = gradient.getResultAttrOfType<StringAttr>(i, "weft.gradient_of"))
        gradients[of.getValue()] = results.outputs[reference::outputName(gradient, i)];
    if (step == 0)
      for (auto &first : run.load("grad1."))
        if (!isNoise(recorded, first.getKey()))
          EXPECT_LE(difference(gradients[first.getKey()], first.getValue()), 1e-6)
              << first.getKey().str();
    ASSERT_EQ(run.problem, "");
    gradients["step"] = number(step + 1);
    gradients["steps"] = number(steps);
    reference::NamedResults updated = run.run("train.update", std::move(gradients));
    ASSERT_EQ(run.problem, "");
    for (auto &parameter : updated.parameters)
      run.parameters[parameter.getKey()] = parameter.getValue();
    double norm = updated.outputs["norm"].floats()[0], rate = updated.outputs["rate"].floats()[0];
    worstNorm =
        std::max(worstNorm, std::abs(norm / tensors.at("out.grad_norm").floats()[step] - 1));
    EXPECT_NEAR(rate, tensors.at("out.lr").floats()[step], 1e-12);
  }
  EXPECT_LE(worstLoss, 1e-8);
  EXPECT_LE(worstNorm, 1e-8);
  double worst = 0;
  for (auto &final : run.load("final."))
    if (!isNoise(recorded, final.getKey())) {
      double far = difference(run.parameters[final.getKey()], final.getValue());
      worst = std::max(worst, far);
      EXPECT_LE(far, 1e-6) << final.getKey().str();
    }
  ASSERT_EQ(run.problem, "");
  fmt::print("{}: {} steps, loss {:.1e}, gradient norm {:.1e}, parameters {:.1e}\n",
             recorded.system.file, steps, worstLoss, worstNorm, worst);
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
       {}},
      {system("vit-programs", "train-vit",
              "channel=3,height=32,width=32,ph=4,pw=4,head=6,ff=32,layer=2,hidden1=16,class=10",
              "cifar"),
       {"attn.k.bias", "head0.linear.bias", "norm2.bias"},
       255},
  };
}

INSTANTIATE_TEST_SUITE_P(Record, Training, testing::ValuesIn(trainings()),
                         [](const auto &info) { return testName(info.param.system, info.index); });

} // namespace
