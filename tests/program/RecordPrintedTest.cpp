// The figures that the documents of the record print, by compiled programs.
#include "Compiled.h"
#include "tests/frontend/lower/Systems.h"
#include "tests/record/RecordedData.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace weft;
using namespace weft::test;
using nlohmann::json;
using reference::Array;
using reference::Floats;
using reference::NamedArrays;

namespace {

class RecordPrinted : public AgainstRecord<> {
protected:
  RecordPrinted() : AgainstRecord("seeds") {
    std::ifstream in(record / "printed.json");
    if (in)
      printed = json::parse(in);
  }

  /// The results of an entry; inputs are those of the system's file, or `inputs`.
  static NamedArrays run(const System &system, NamedArrays inputs = {}) {
    Tensors tensors;
    if (!system.file.empty())
      tensors = tensorsOf(system);
    Prepared prepared(system, tensors);
    EXPECT_EQ(prepared.problem, "");
    if (!prepared.lower())
      throw std::runtime_error(prepared.problem);
    Compiled compiled(*prepared.module);
    compiled.setParameters(prepared.parameters);
    return compiled.run(system.entry, inputs.empty() ? prepared.inputs : inputs);
  }

  static Array array(const json &numbers) {
    Array found;
    Floats values;
    for (const json *level = &numbers; level->is_array(); level = &level->front())
      found.shape.push_back(static_cast<int64_t>(level->size()));
    auto collect = [&](auto &self, const json &level) -> void {
      if (!level.is_array())
        return values.push_back(level.get<double>());
      for (const json &each : level)
        self(self, each);
    };
    collect(collect, numbers);
    found.data = std::move(values);
    return found;
  }

  /// Equal to the figures, to `within`.
  static void equal(const Array &found, const json &figures, double within) {
    Floats expected = array(figures).floats();
    const Floats &values = found.floats();
    ASSERT_EQ(values.size(), expected.size());
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], expected[i], within) << i;
  }

  static constexpr double fourDigits = 0.5e-4 + 1e-7;
  json printed;
};

TEST_F(RecordPrinted, Attention) {
  NamedArrays results = run({"000#sdpa", "attention", "inspected", "000-sdpa-seed42", ""});
  equal(results["output"], printed["seed42"]["values"], fourDigits);
  equal(results["weights"], printed["seed42"]["weights"], fourDigits);
}

TEST_F(RecordPrinted, SmallTableOfPositions) {
  NamedArrays results = run({"004#positions", "positions", "table", "", "pos=10,d=6"});
  equal(results["output"], printed["positions_10x6"]["table"], fourDigits);
}

/// Five significant digits of some rows and columns.
TEST_F(RecordPrinted, CornersOfTheLargeTableOfPositions) {
  NamedArrays results = run({"002#positions", "positions", "table", "", "pos=60,d=32"});
  const json &figures = printed["positions_60x32"];
  for (size_t i = 0; i < figures["rows"].size(); ++i)
    for (size_t j = 0; j < figures["columns"].size(); ++j) {
      int64_t row = figures["rows"][i], column = figures["columns"][j];
      double figure = figures["values"][i][j];
      double unit = figure == 0 ? 1e-5 : std::pow(10, std::floor(std::log10(std::abs(figure))) - 4);
      EXPECT_NEAR(results["output"].floats()[row * 32 + column], figure, 0.5 * unit + 1e-7)
          << row << ", " << column;
    }
}

/// Recovered from rounded figures: to 1e-4.
TEST_F(RecordPrinted, LayerNorm) {
  System system{"004#layernorm-last-two", "norms", "last_two", "004-layernorm-last-two-seed", ""};
  system.clause = "last_two";
  system.fromData = {"batch", "emb"};
  NamedArrays results = run(system);
  equal(results["output"], printed["layernorm"]["y"], 1e-4);
  equal(results["mean"], printed["layernorm"]["mean"], 1e-4);
  equal(results["std"], printed["layernorm"]["std"], 1e-4);
}

/// Rows of causal scores: the first has one key, the second two, the third three.
TEST_F(RecordPrinted, CausalWeights) {
  Array scores{{1, 3, 3}, Floats(9)}, weights = scores;
  for (size_t row = 0; row < 3; ++row)
    for (size_t key = 0; key <= row; ++key) {
      std::get<Floats>(scores.data)[row * 3 + key] = printed["causal_scores"]["scores"][row][key];
      std::get<Floats>(weights.data)[row * 3 + key] = printed["causal_scores"]["weights"][row][key];
    }
  NamedArrays inputs;
  inputs["x"] = scores;
  inputs["valid"] = {{1, 3}, reference::Wholes{1, 2, 3}};
  NamedArrays results = run({"003#masked-softmax", "lengths", "softmax_2d", "", ""}, inputs);
  for (size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(results["output"].floats()[i], weights.floats()[i], 1e-4);
}

TEST_F(RecordPrinted, Pooling) {
  NamedArrays inputs;
  inputs["values"] = array(printed["pooling"]["heights"]);
  inputs["similarity"] = {{1, 4}, Floats(4, 0.25)};
  NamedArrays results = run({"002#pooling", "pooling", "pooling", "", ""}, inputs);
  EXPECT_EQ(results["uniform"].floats(), Floats{printed["pooling"]["uniform_average"]});
  NamedArrays colours = run({"002#pooling", "pooling", "colours", "", ""});
  equal(colours["weights"], printed["pooling"]["similarity_example"], 1e-7);
  EXPECT_NEAR(colours["total"].floats().front(), 1, 1e-6);
}

} // namespace
