// Parameters in files: per layer or stacked, and everything that can be wrong with a file of
// weights.
#include "runtime/model/Parameters.h"
#include "runtime/Abi.h"
#include "runtime/base/InitialValues.h"
#include "runtime/model/Slices.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {
constexpr int64_t V = 128;

class ParametersTest : public testing::Test {
protected:
  ParametersTest() : facts(*readFacts({weft_program.json, weft_program.json_size})) {}
  Parameters fresh() { return std::move(*Parameters::create(facts)); }
  const std::unique_ptr<Pool> pool = Pool::start(3, false);
  std::vector<TensorToWrite> whole() {
    return {{"table", Element::Float, {V, V}, square.data()},
            {"before", Element::Float, {V, V}, square.data()},
            {"layer.0.bias", Element::Float, {V}, square.data()},
            {"layer.1.bias", Element::Float, {V}, square.data() + V}};
  }
  std::string load(const std::vector<TensorToWrite> &tensors, Parameters &into) {
    EXPECT_TRUE(writeSafetensors(folder / "w", tensors));
    Status status = into.load(*SafetensorsFile::open(folder / "w"), isWeight);
    return status ? "" : status.error().message.substr(folder.path().size());
  }
  Facts facts;
  TemporaryFolder folder;
  std::vector<float> square = std::vector<float>(V * V, 0.5f);
};
} // namespace

TEST_F(ParametersTest, WhatIsAbsentHasToBeSet) {
  Parameters parameters = fresh();
  std::vector<int64_t> offsets(facts.parameters.size(), -1);
  offsets[0] = 0;
  parameters.adopt(reinterpret_cast<char *>(square.data()), offsets, isWeight);
  EXPECT_TRUE(parameters.need(0));
  EXPECT_FALSE(parameters.need(1));
  Status saved = parameters.save(folder / "none", isWeight);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, Code::Usage);
  EXPECT_NE(load({}, parameters).find(": lacks"), std::string::npos);
  EXPECT_FALSE(parameters.need(1)); // nothing was loaded
  EXPECT_EQ(load(whole(), parameters), "");
  EXPECT_TRUE(parameters.need(1));
  EXPECT_TRUE(parameters.save(folder / "some", isWeight));
}

TEST_F(ParametersTest, SaveAndLoadAgree) {
  Parameters a = fresh(), b = fresh();
  a.initialize(*pool, 3);
  ASSERT_TRUE(a.save(folder / "w", isWeight));
  auto file = SafetensorsFile::open(folder / "w");
  EXPECT_NE(file->find("layer.1.bias"), nullptr);
  EXPECT_EQ(file->find("layer.bias"), nullptr);
  EXPECT_EQ(file->find("adam.mean.table"), nullptr);
  ASSERT_TRUE(b.load(*file, isWeight));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(memcmp(a.data(i), b.data(i), elementCount(facts, facts.parameters[i]) * 4), 0) << i;
}

TEST_F(ParametersTest, WhatAnUpdateLeavesAloneIsAsNewAsBefore) {
  Parameters parameters = fresh();
  std::vector<uint64_t> before;
  auto note = [&] {
    before.clear();
    for (size_t i = 0; i < facts.parameters.size(); ++i)
      before.push_back(parameters.version(static_cast<int>(i)));
    return parameters.version(-1);
  };
  Entry update;
  update.writes = {0, 2};
  uint64_t all = note();
  parameters.written(update);
  EXPECT_GT(parameters.version(-1), all);
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(parameters.version(static_cast<int>(i)) != before[i], i == 0 || i == 2)
        << facts.parameters[i].name;
  all = note();
  parameters.written(Entry());
  EXPECT_EQ(parameters.version(-1), all);
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(parameters.version(static_cast<int>(i)), before[i]) << facts.parameters[i].name;
  parameters.changed();
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_NE(parameters.version(static_cast<int>(i)), before[i]) << facts.parameters[i].name;
  EXPECT_GT(parameters.version(), all);
}

TEST_F(ParametersTest, StackedIsAccepted) {
  Parameters parameters = fresh();
  for (int64_t i = 0; i < 2 * V; ++i)
    square[i] = static_cast<float>(i);
  EXPECT_EQ(load({{"table", Element::Float, {V, V}, square.data()},
                  {"before", Element::Float, {V, V}, square.data()},
                  {"layer.bias", Element::Float, {2, V}, square.data()}},
                 parameters),
            "");
  EXPECT_EQ(static_cast<float *>(parameters.data(1))[V + 1], float(V + 1));
}

TEST_F(ParametersTest, MappedIsAsLoaded) {
  Parameters a = fresh();
  a.initialize(*pool, 3);
  ASSERT_TRUE(a.save(folder / "w", isWeight));
  // Apart and in another order, one of them stacked: `bias` no longer lies as it does in memory.
  std::vector<float> bias(2 * V);
  memcpy(bias.data(), a.data(1), 2 * V * sizeof(float));
  ASSERT_TRUE(writeSafetensors(folder / "apart", {{"layer.1.bias", Element::Float, {V}, &bias[V]},
                                                  {"table", Element::Float, {V, V}, a.data(0)},
                                                  {"layer.0.bias", Element::Float, {V}, &bias[0]},
                                                  {"before", Element::Float, {V, V}, a.data(2)}}));
  const Kinds kinds = isWeight;
  for (const char *name : {"w", "apart"}) {
    auto before = WholeFile::read(folder / name);
    Parameters b = fresh();
    {
      auto file = SafetensorsFile::open(folder / name); // which need not stay open
      Parameters::Source source{*file, kinds, &Parameters::map};
      ASSERT_TRUE(b.load({&source, 1}));
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(memcmp(a.data(i), b.data(i), elementCount(facts, facts.parameters[i]) * 4), 0) << i;
      static_cast<float *>(b.data(i))[V - 1] = 7; // which is nobody else's
    }
    EXPECT_EQ(WholeFile::read(folder / name)->view(), before->view());
    EXPECT_TRUE(b.isUnchanged());
    std::ofstream(folder / name, std::ios::app) << "more";
    Status changed = b.isUnchanged();
    ASSERT_FALSE(changed);
    EXPECT_NE(changed.error().message.find("was changed while it was read"), std::string::npos);
  }
}

TEST_F(ParametersTest, InitialValuesMayBeDenormal) {
  Facts small = *readFacts({weft_program.json, weft_program.json_size});
  small.parameters[0].value = 1e-39;
  Parameters parameters = std::move(*Parameters::create(small));
  parameters.initialize(*pool, 1);
  std::vector<float> expected(V * V);
  fillNormal(expected.data(), V * V, 1e-39, 1, "table");
  EXPECT_EQ(memcmp(parameters.data(0), expected.data(), V * V * sizeof(float)), 0);
  EXPECT_NE(std::bit_cast<uint32_t>(expected[0]), 0u);
}

TEST_F(ParametersTest, LayersHaveTheirOwnInitialValues) {
  Parameters parameters = fresh();
  parameters.initialize(*pool, 1);
  auto *bias = static_cast<float *>(parameters.data(1));
  EXPECT_NE(bias[0], bias[V]);
  EXPECT_NE(bias[0], 0);
}

TEST_F(ParametersTest, WrongFiles) {
  Parameters parameters = fresh();
  auto tensors = whole();
  tensors.pop_back();
  EXPECT_EQ(load(tensors, parameters),
            "/w: lacks `layer.1.bias`; is it of another model or config?");
  tensors.push_back({"layer.2.bias", Element::Float, {V}, square.data()});
  EXPECT_EQ(
      load(tensors, parameters),
      "/w: lacks `layer.1.bias`, and has `layer.2.bias`, which this model does not know; is it of "
      "another model or config?");
  tensors = whole();
  tensors[0].shape = {V * V};
  EXPECT_EQ(load(tensors, parameters), "/w: tensor `table` has shape [16384], the model expects "
                                       "[128, 128] (vocab = 128, vocab = 128)");
  tensors = whole();
  tensors[0].element = Element::Int;
  EXPECT_EQ(load(tensors, parameters), "/w: tensor `table` holds I32, the model expects float");
  tensors = whole();
  tensors.push_back({"layer.bias", Element::Float, {2, V}, square.data()});
  EXPECT_EQ(load(tensors, parameters),
            "/w: has `layer.bias` and also `layer.0.bias`, which is a part of it");
}

TEST_F(ParametersTest, NotFiniteIsNamedAndChangesNothing) {
  Parameters parameters = fresh();
  square[V + 3] = NAN;
  EXPECT_EQ(
      load(whole(), parameters),
      "/w: tensor `table` holds NaN or infinity at [1, 3]: these weights are broken, take others");
  EXPECT_EQ(static_cast<float *>(parameters.data(2))[0], 0);
  square[V + 3] = INFINITY;
  EXPECT_NE(load(whole(), parameters), "");
}

TEST(Slices, NamesOfNestedRepeats) {
  Facts facts;
  facts.dims = {{"outer", 2, {}, {}, 0}, {"inner", 3, {}, {}, 0}, {"model", 4, {}, {}, 0}};
  Parameter parameter{
      "a.outer.b.inner.w",    {0, 1, 2}, 2, Element::Float, ParameterKind::Parameter,
      InitialValue::Constant, 0};
  std::vector<Slice> slices = slicesOf(facts, parameter);
  ASSERT_EQ(slices.size(), 6u);
  EXPECT_EQ(slices[0].name, "a.outer.0.b.inner.0.w");
  EXPECT_EQ(slices[5].name, "a.outer.1.b.inner.2.w");
  EXPECT_EQ(slices[5].offset, 20);
}
