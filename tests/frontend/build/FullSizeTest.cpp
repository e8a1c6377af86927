// Systems of the record at their full sizes, whose tensors a formula gives and whose results are
// recorded as summaries. In float64, after the passes of the model stage.
#include "Numbers.h"
#include "Systems.h"
#include "tests/record/RecordedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace weft;
using namespace weft::test;
using nlohmann::json;
using reference::Array;
using reference::Floats;

namespace {

json readJson(const std::filesystem::path &path) {
  std::ifstream in(path);
  return json::parse(in);
}

/// The parameters and inputs that the summary names.
Tensors tensorsOf(const json &summary) {
  Tensors tensors;
  for (const json &tensor : summary.at("tensors")) {
    Formula formula;
    formula.salt = tensor.at("salt");
    formula.modulus = tensor.value("modulus", 0u);
    formula.scale = tensor.value("scale", 1.0);
    formula.offset = tensor.value("offset", 0.0);
    tensors[tensor.at("name")] = numbers(tensor.at("shape").get<std::vector<int64_t>>(), formula);
  }
  return tensors;
}

/// The farthest of the samples and of the mean, the extremes and the norm, relative to the extremes
/// (the norm to itself).
double farFrom(const Array &array, const json &summary) {
  const Floats &values = array.floats();
  EXPECT_EQ(array.shape, Array({llvm::SmallVector<int64_t>(llvm::ArrayRef(
                                    summary.at("shape").get<std::vector<int64_t>>())),
                                {}})
                             .shape);
  double sum = 0, squares = 0, least = values.front(), most = least;
  for (double value : values) {
    sum += value;
    squares += value * value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  double extreme = std::max(std::abs(summary.at("min").get<double>()),
                            std::abs(summary.at("max").get<double>()));
  double far = 0;
  auto compare = [&](double found, double recorded, double scale) {
    double away = std::abs(found - recorded) / scale;
    far = away <= far ? far : away; // and if it is not a number
  };
  compare(sum / values.size(), summary.at("mean"), extreme);
  compare(least, summary.at("min"), extreme);
  compare(most, summary.at("max"), extreme);
  compare(std::sqrt(squares), summary.at("l2"), summary.at("l2"));
  for (const json &sample : summary.at("samples"))
    compare(values.at(sample.at(0)), sample.at(1), extreme);
  return far;
}

/// The rows of the recorded sentence pairs that the summary was made of.
void addSentences(Tensors &tensors, const std::filesystem::path &pairs) {
  json data = readJson(pairs);
  auto add = [&](const char *name, const char *key, size_t width) {
    reference::Wholes ids;
    for (size_t line = 0; line < 128; ++line)
      for (size_t i = 0; i < width; ++i)
        ids.push_back(data.at(key).at(line).is_array() ? data.at(key).at(line).at(i)
                                                       : data.at(key).at(line));
    tensors[name] = {{128}, std::move(ids)};
    if (width > 1)
      tensors[name].shape.push_back(width);
  };
  add("in.source", "source", 9);
  add("in.valid", "source_valid", 1);
  add("in.target", "target", 9);
}

class FullSize : public AgainstRecord<testing::TestWithParam<System>> {
protected:
  FullSize() : AgainstRecord("seeds") {}
};

TEST_P(FullSize, IsAsRecorded) {
  const System &system = GetParam();
  json summary = readJson(record / (system.file + ".json"));
  Tensors tensors = tensorsOf(summary);
  if (system.program == "translation")
    addSentences(tensors, record / "003-data.json");
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

std::vector<System> fullSizes() {
  std::vector<System> all = {
      {"004#fused-mha",
       "heads",
       "causal",
       "004-fused-mha-full",
       "model=512,head=8",
       {{"output", {"out.output"}}, {"weights", {"out.weights"}}},
       "seed"},
      {"002#encoder", "text-encoder", "encoder", "002-encoder-full", ""},
      {"004#encoder", "fused-projection", "encoder", "004-encoder-full", ""},
      {"003#seq2seq", "translation", "logits", "003-seq2seq-full", "svocab=194,tvocab=214"},
      {"002#vit",
       "vit-programs",
       "logits",
       "002-vit-full",
       "width=256,height=256",
       {{"output", {"out.output"}}},
       "seed"}};
  for (System &system : all) {
    system.config = system.program == "heads" ? "" : "seed";
    system.bound = 1e-12; // both in float64
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Record, FullSize, testing::ValuesIn(fullSizes()), [](const auto &info) {
  std::string name = info.param.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
