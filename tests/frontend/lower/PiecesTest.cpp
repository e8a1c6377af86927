// The parts of parts.weft and BERT, of which nothing was recorded: against plain loops, and against
// what must be true of them.
#include "Numbers.h"
#include "Systems.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace weft;
using namespace weft::test;
using reference::Array;
using reference::Floats;
using reference::Switches;
using reference::Wholes;

namespace {

/// The result of an entry of pieces.weft, built with `settings`, on these tensors.
Array piece(const std::string &entry, const std::string &settings, const Tensors &tensors) {
  System system{"parts", "pieces", entry, "", settings};
  Prepared run(system, tensors);
  EXPECT_EQ(run.problem, "");
  if (!run.function)
    return {};
  Array result = run.run(run.function.getSymName(), run.inputs).outputs["output"];
  EXPECT_EQ(run.problem, "");
  return result;
}

void agree(const Array &found, llvm::ArrayRef<int64_t> shape, Floats expected) {
  EXPECT_EQ(found.shape, Array({{shape.begin(), shape.end()}, {}}).shape);
  EXPECT_LE(difference(found, {found.shape, std::move(expected)}), 1e-14);
}

/// Reads a tensor at a position.
double at(const Array &array, llvm::ArrayRef<int64_t> index) {
  int64_t flat = 0;
  for (auto [i, size] : llvm::zip_equal(index, array.shape))
    flat = flat * size + i;
  return array.floats()[flat];
}

TEST(Pieces, ConvolutionIsASumOverWindows) {
  Array x = numbers({2, 3, 7, 9}, {.salt = 1}), w = numbers({3, 3, 3, 4}, {.salt = 2});
  Floats expected;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j)
        for (int o = 0; o < 4; ++o) {
          double sum = 0;
          for (int c = 0; c < 3; ++c)
            for (int p = 0; p < 3; ++p)
              for (int q = 0; q < 3; ++q)
                sum += at(x, {b, c, 2 * i + p, 2 * j + q}) * at(w, {c, p, q, o});
          expected.push_back(sum);
        }
  agree(piece("convolution", "channel=3,height=7,width=9,kh=3,kw=3,stride=2,out=4",
              {{"in.image", x}, {"param.weight", w}}),
        {2, 3, 4, 4}, expected);
}

TEST(Pieces, AConstantIsWhateverEachUseTakesItFor) {
  Array x = numbers({2, 4}, {.salt = 1});
  Floats expected;
  for (int b = 0; b < 2; ++b)
    for (int d = 0; d < 4; ++d)
      expected.push_back(4 * at(x, {b, d}) + 2 * at(x, {b, 0}));
  agree(piece("held", "model=4", {{"in.x", x}}), {2, 4}, expected);
}

TEST(Pieces, TheClassTokenComesFirst) {
  Array x = numbers({2, 3, 4}, {.salt = 1}), cls = numbers({1, 4}, {.salt = 2});
  Floats expected;
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 4; ++t)
      for (int d = 0; d < 4; ++d)
        expected.push_back(t ? at(x, {b, t - 1, d}) : at(cls, {0, d}));
  agree(piece("tokens", "model=4", {{"in.x", x}, {"param.cls", cls}}), {2, 4, 4}, expected);
}

TEST(Pieces, PartialRotationTurnsPairsAndLeavesTheRest) {
  Array x = numbers({2, 5, 7}, {.salt = 1});
  Floats expected;
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 5; ++t)
      for (int d = 0; d < 7; ++d) {
        double angle = t / std::pow(10000, d % 2 / 2.0);
        if (d < 2)
          expected.push_back(at(x, {b, t, d}) * std::cos(angle) -
                             at(x, {b, t, d + 2}) * std::sin(angle));
        else if (d < 4)
          expected.push_back(at(x, {b, t, d}) * std::cos(angle) +
                             at(x, {b, t, d - 2}) * std::sin(angle));
        else
          expected.push_back(at(x, {b, t, d}));
      }
  agree(piece("rotary", "rot=4,rest=3", {{"in.x", x}}), {2, 5, 7}, expected);
}

/// Query heads (group, rep, d), then as many keys and values as groups, in one projection.
TEST(Pieces, GroupedAttentionOfAFusedProjection) {
  constexpr int seq = 4, groups = 2, reps = 3, d = 5;
  constexpr int keys = groups * reps * d, values = keys + groups * d, width = values + groups * d;
  Array x = numbers({2, seq, width}, {.salt = 1, .scale = 4});
  Floats expected;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < seq; ++i)
      for (int g = 0; g < groups; ++g)
        for (int r = 0; r < reps; ++r) {
          Floats weight(i + 1), sum(d);
          double all = 0;
          for (int j = 0; j <= i; ++j) {
            double score = 0;
            for (int c = 0; c < d; ++c)
              score += at(x, {b, i, (g * reps + r) * d + c}) * at(x, {b, j, keys + g * d + c});
            all += weight[j] = std::exp(score / std::sqrt(d));
          }
          for (int j = 0; j <= i; ++j)
            for (int c = 0; c < d; ++c)
              sum[c] += weight[j] / all * at(x, {b, j, values + g * d + c});
          expected.insert(expected.end(), sum.begin(), sum.end());
        }
  agree(piece("grouped", "group=2,rep=3,dh=5", {{"in.x", x}}), {2, seq, groups, reps, d}, expected);
}

TEST(Pieces, LinearAttentionIsAPrefixSum) {
  Array q = numbers({6, 3}, {.salt = 1, .offset = 2}),
        k = numbers({6, 3}, {.salt = 2, .offset = 2}), v = numbers({6, 2}, {.salt = 3});
  Floats expected;
  for (int i = 0; i < 6; ++i)
    for (int c = 0; c < 2; ++c) {
      double above = 0, below = 0;
      for (int j = 0; j <= i; ++j) {
        double weight = 0;
        for (int d = 0; d < 3; ++d)
          weight += at(q, {i, d}) * at(k, {j, d});
        above += weight * at(v, {j, c});
        below += weight;
      }
      expected.push_back(above / below);
    }
  agree(piece("linear", "", {{"in.q", q}, {"in.k", k}, {"in.v", v}}), {6, 2}, expected);
}

TEST(Pieces, ExpertsAreTheBestByTheirScores) {
  constexpr int batch = 4, model = 3, experts = 5, picks = 2, hidden = 6;
  Array x = numbers({batch, model}, {.salt = 1, .scale = 4}),
        weight = numbers({experts, model, hidden}, {.salt = 2}),
        back = numbers({experts, hidden, model}, {.salt = 3}),
        router = numbers({model, experts}, {.salt = 4, .scale = 2});
  Floats expected;
  for (int b = 0; b < batch; ++b) {
    Floats score(experts), out(model);
    for (int e = 0; e < experts; ++e)
      for (int m = 0; m < model; ++m)
        score[e] += at(x, {b, m}) * at(router, {m, e});
    std::vector<int> order(experts);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int c) { return score[a] > score[c]; });
    double all = 0;
    for (int p = 0; p < picks; ++p)
      all += std::exp(score[order[p]]);
    for (int p = 0; p < picks; ++p)
      for (int h = 0; h < hidden; ++h) {
        double sum = 0;
        for (int m = 0; m < model; ++m)
          sum += at(x, {b, m}) * at(weight, {order[p], m, h});
        for (int m = 0; m < model; ++m)
          out[m] +=
              std::exp(score[order[p]]) / all * std::max(sum, 0.0) * at(back, {order[p], h, m});
      }
    expected.insert(expected.end(), out.begin(), out.end());
  }
  agree(piece("experts", "model=3,expert=5,pick=2,out=6",
              {{"in.x", x},
               {"param.weight", weight},
               {"param.back", back},
               {"param.router.weight", router}}),
        {batch, model}, expected);
}

/// BERT with parameters by formula; gains of the last norm are 1, so that its rows are normal.
class Bert : public testing::Test {
protected:
  static constexpr int64_t batch = 2, seq = 7, model = 12, head = 3, layers = 2;
  System system{"BERT", "bert", "inspected", "",
                "vocab=50,position=16,model=12,head=3,ff=20,layer=2"};
  Tensors none;
  Prepared run{system, none};
  Wholes tokens = numbers({batch, seq}, {.salt = 100, .modulus = 50}).wholes(),
         parts = numbers({batch, seq}, {.salt = 101, .modulus = 2}).wholes(), length = {7, 4};

  void SetUp() override {
    // Nothing is loaded: that every parameter is missing is all there is to say.
    ASSERT_TRUE(run.function) << run.problem;
    run.problem.clear();
    uint32_t salt = 0;
    for (auto parameter : run.module->getOps<model::ParameterOp>()) {
      model::Dims dims(*run.module);
      SmallVector<int64_t> shape;
      for (model::DimAttr dim : cast<model::NamedTensorType>(parameter.getType()).getDims())
        shape.push_back(*dims.fixed(dim));
      bool isLast = parameter.getSymName().contains("norm2");
      double gain = parameter.getSymName().ends_with("norm2.weight");
      run.parameters[parameter.getSymName()] = numbers(
          shape, {.salt = ++salt, .scale = isLast ? 0.0 : 1.0, .offset = isLast ? gain : 0.0});
    }
  }

  reference::NamedArrays results() {
    run.inputs["tokens"] = {{batch, seq}, tokens};
    run.inputs["parts"] = {{batch, seq}, parts};
    run.inputs["length"] = {{batch}, length};
    auto found = run.run(run.function.getSymName(), run.inputs);
    EXPECT_EQ(run.problem, "");
    return std::move(found.outputs);
  }
};

TEST_F(Bert, WeightsSumToOneWhereThereIsAToken) {
  Array weights = results()["weights"];
  ASSERT_EQ(weights.shape, (SmallVector<int64_t>{layers, batch, head, seq, seq}));
  for (int64_t row = 0; row < layers * batch * head * seq; ++row) {
    int64_t b = row / (head * seq) % batch;
    double sum = 0;
    for (int64_t key = 0; key < seq; ++key) {
      double weight = weights.floats()[row * seq + key];
      sum += weight;
      if (key < length[b])
        EXPECT_GT(weight, 0);
      else
        EXPECT_EQ(weight, 0);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

TEST_F(Bert, RowsAreNormal) {
  Array output = results()["output"];
  ASSERT_EQ(output.shape, (SmallVector<int64_t>{batch, seq, model}));
  for (int64_t row = 0; row < batch * seq; ++row) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < model; ++i) {
      double x = output.floats()[row * model + i];
      mean += x / model;
      square += x * x / model;
    }
    EXPECT_NEAR(mean, 0, 1e-14);
    EXPECT_NEAR(square, 1, 1e-10); // eps is 1e-12
  }
}

TEST_F(Bert, PaddingIsNotLookedAt) {
  Floats before = results()["output"].floats();
  tokens[seq + 5] = (tokens[seq + 5] + 1) % 50; // in the second line, which is 4 long
  Floats after = results()["output"].floats();
  auto line = [&](const Floats &all, int64_t token) {
    auto begin = all.begin() + (seq + token) * model;
    return Floats(begin, begin + model);
  };
  for (int64_t token = 0; token < seq; ++token)
    EXPECT_EQ(line(before, token) == line(after, token), token != 5) << token;
}

TEST_F(Bert, WithoutPositionsTheOrderOfTokensDoesNotMatter) {
  run.parameters["place"] = {{16, model}, Floats(16 * model)};
  length = {7, 7};
  Floats before = results()["output"].floats();
  std::swap(tokens[1], tokens[4]);
  std::swap(parts[1], parts[4]);
  Floats after = results()["output"].floats();
  std::swap_ranges(after.begin() + 1 * model, after.begin() + 2 * model, after.begin() + 4 * model);
  EXPECT_LE(difference({{batch, seq, model}, after}, {{batch, seq, model}, before}), 1e-13);
}

} // namespace
