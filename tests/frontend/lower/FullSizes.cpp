// Reads summaries and compares with them.
#include "FullSizes.h"
#include "Numbers.h"
#include "tests/record/RecordedData.h"

#include <cmath>
#include <fstream>

using nlohmann::json;

namespace weft::test {

using reference::Array;
using reference::Floats;

namespace {

json readJson(const std::filesystem::path &path) {
  std::ifstream in(path);
  return json::parse(in);
}

/// The rows of the recorded sentence pairs that the summary was made of. Labels are the targets
/// without their first word.
void addSentences(Tensors &tensors) {
  json data = readJson(recordedData("seeds") / "003-data.json");
  auto add = [&](const char *name, const char *key, size_t first, size_t width) {
    reference::Wholes ids;
    for (size_t line = 0; line < 128; ++line)
      for (size_t i = first; i < first + width; ++i)
        ids.push_back(data.at(key).at(line).is_array() ? data.at(key).at(line).at(i)
                                                       : data.at(key).at(line));
    tensors[name] = {{128}, std::move(ids)};
    if (width > 1)
      tensors[name].shape.push_back(width);
  };
  add("in.source", "source", 0, 9);
  add("in.valid", "source_valid", 0, 1);
  add("in.target", "target", 0, 9);
  add("in.label", "target", 1, 9);
  tensors["in.length"] = lengthsOf(tensors["in.label"], 5);
}

} // namespace

json readSummary(const System &system) {
  return readJson(recordedData("seeds") / (system.file + ".json"));
}

Tensors tensorsOf(const System &system, const json &summary) {
  Tensors tensors;
  for (const json &tensor : summary.at("tensors")) {
    Formula formula;
    formula.salt = tensor.at("salt");
    formula.modulus = tensor.value("modulus", 0u);
    formula.scale = tensor.value("scale", 1.0);
    formula.offset = tensor.value("offset", 0.0);
    tensors[tensor.at("name")] = numbers(tensor.at("shape").get<std::vector<int64_t>>(), formula);
  }
  if (system.program == "translation")
    addSentences(tensors);
  return tensors;
}

double farFrom(const Array &array, const json &summary, double least) {
  const Floats &values = array.floats();
  auto shape = summary.at("shape").get<std::vector<int64_t>>();
  EXPECT_EQ(array.shape, llvm::SmallVector<int64_t>(shape.begin(), shape.end()));
  double sum = 0, squares = 0, lowest = values.front(), most = lowest;
  for (double value : values) {
    sum += value;
    squares += value * value;
    lowest = std::min(lowest, value);
    most = std::max(most, value);
  }
  double extreme = std::max({std::abs(summary.at("min").get<double>()),
                             std::abs(summary.at("max").get<double>()), least});
  double far = 0;
  auto compare = [&](double found, double recorded, double scale) {
    double away = std::abs(found - recorded) / scale;
    far = away <= far ? far : away; // and if it is not a number
  };
  compare(sum / values.size(), summary.at("mean"), extreme);
  compare(lowest, summary.at("min"), extreme);
  compare(most, summary.at("max"), extreme);
  compare(std::sqrt(squares), summary.at("l2"),
          std::max(summary.at("l2").get<double>(), least * std::sqrt(values.size())));
  for (const json &sample : summary.at("samples"))
    compare(values.at(sample.at(0)), sample.at(1), extreme);
  return far;
}

std::vector<System> fullSizes() {
  auto make = [](std::string name, std::string program, std::string entry, std::string file,
                 std::string settings) {
    System system{name, program, entry, file + "-full", settings};
    system.config = program == "heads" ? "" : "full";
    system.clause = "torch";
    system.bound = 1e-12; // of the interpreter: both are in float64
    return system;
  };
  std::vector<System> all = {
      make("004#fused-mha", "heads", "causal", "004-fused-mha", "model=512,head=8"),
      make("002#encoder", "text-encoder", "encoder", "002-encoder", ""),
      make("004#encoder", "fused-projection", "encoder", "004-encoder", ""),
      make("003#seq2seq", "translation", "logits", "003-seq2seq", "svocab=194,tvocab=214"),
      make("002#vit", "vit-programs", "logits", "002-vit", "width=256,height=256")};
  all[0].compared.push_back({"weights", {"out.weights"}});
  all[3].compared.push_back({"memory", {"out.memory"}, "[batch, src, model]"});
  all[4].compared.push_back({"patches(image)", {"out.patches"}, "[batch, patch, model]"});
  all[4].compared.push_back({"layer.norm2[layer = 5]", {"out.encoded"}, "[batch, patch, model]"});
  all[4].compared.push_back({"head0", {"out.hidden0"}, "[batch, hidden1]"});
  return all;
}

} // namespace weft::test
